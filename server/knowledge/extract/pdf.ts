import { LiteParse, type LayoutBlock, type ParsedPage, type ParseResult } from '@llamaindex/liteparse'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { joinBrokenParagraphs, joinLists, partOf, withoutLiterals } from './pdf-blocks.ts'
import { expandsTooFar } from './pdf-bomb.ts'
import { readPdfLines } from './pdf-lines.ts'
import { withLostLines } from './pdf-lost-lines.ts'
import { readByOcr } from './pdf-ocr.ts'
import { isRightToLeft, lettersOf, paragraphParts } from './pdf-paragraphs.ts'
import { withoutRunningLines, type PageBlocks } from './running-lines.ts'

/**
 * Extracts PDF: headings, paragraphs, lists and tables with their pages, by liteparse, without running headers and footers.
 * Pages with a wrong layout are read line by line with PDFium, pages without text by OCR.
 * @throws SourceError corrupt_file, encrypted_file, too_large, empty_content
 */
export async function extractPdf({ bytes, language }: ExtractInput): Promise<Draft> {
  const result = await parse(bytes)
  const pictures = result.pages.filter(isPicture)
  const recognized =
    pictures.length > 0
      ? await readByOcr(
          bytes,
          pictures.map(({ pageNum }) => pageNum),
          language,
        )
      : []
  const pages = result.pages.flatMap(
    (page) => recognized.find(({ pageNum }) => pageNum === page.pageNum) ?? (isPicture(page) ? [] : [page]),
  )
  const mistaken = pages.filter((page) => !recognized.includes(page) && isMistaken(page))
  const lines =
    mistaken.length > 0
      ? await readPdfLines(
          bytes,
          mistaken.map(({ pageNum }) => pageNum),
        )
      : new Map()
  const parts = withoutRunningLines(pages.map(withLostLines)).flatMap((page) => {
    const drawn = lines.get(page.page)
    return drawn ? lineParts(drawn, page) : page.blocks.flatMap((block) => partOf(block, page.page))
  })
  const fields = result.pages.flatMap(fieldParts)
  const unread = pictures.length - recognized.length
  if (pages.length === 0) throw new SourceError('empty_content', 'The PDF has no text: its pages are pictures in which none was found.')
  const all = result.totalPages
  return {
    parts: [...joinLists(joinBrokenParagraphs(parts)).map(withoutLiterals), ...fields],
    pages: all,
    warnings: [
      ...(recognized.length > 0 ? [`${recognized.length} of ${all} pages are pictures and were read by OCR.`] : []),
      ...(unread > 0 ? [`${unread} of ${all} pages are left out: they are pictures in which no text was found, or too many.`] : []),
      ...(result.pageErrors.length > 0 ? [`${result.pageErrors.length} of ${all} pages could not be read.`] : []),
    ],
  }
}

/** Returns whether a page has no text, is a scan with only a stamp, or has unreadable text. */
function isPicture(page: ParsedPage): boolean {
  const { length } = page.text.trim()
  return length === 0 || (page.complexity?.fullPageImage === true && length < 30) || isGlyphNumbers(page)
}

/** Returns whether the text consists of glyph numbers, control characters among them: its font has no character map. */
function isGlyphNumbers(page: ParsedPage): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls = page.text.match(/[\u0001-\u0008\u000E-\u001F]/g)?.length ?? 0
  return page.complexity?.isGarbled === true && controls > page.text.length * 0.01
}

/**
 * Returns whether the layout is wrong. liteparse reverses right-to-left words, and sometimes takes columns for a table: it
 * overlaps other blocks, or words are lost.
 */
function isMistaken({ text, height, blocks = [] }: ParsedPage): boolean {
  if (isRightToLeft(text)) return true
  const tables = blocks.filter(({ kind, bbox }) => kind === 'table' && (bbox?.height ?? 0) > 0.4 * height)
  if (tables.some((table) => blocks.filter((block) => isText(block) && liesIn(block, table)).length > 1)) return true
  return lettersOf(blocks.map(blockText).join(' ')).length < 0.85 * lettersOf(text).length
}

function isText({ kind }: LayoutBlock): boolean {
  return kind === 'paragraph' || kind === 'heading' || kind === 'list_item'
}

function liesIn({ bbox: inner }: LayoutBlock, { bbox: outer }: LayoutBlock): boolean {
  if (!inner || !outer) return false
  const [x, y] = [inner.x + inner.width / 2, inner.y + inner.height / 2]
  return x > outer.x && x < outer.x + outer.width && y > outer.y && y < outer.y + outer.height
}

function blockText({ text = '', lines = [], header = [], rows = [] }: LayoutBlock): string {
  return [text, ...lines, ...[header, ...rows].flat().map((cell) => cell.text)].join(' ')
}

function lineParts(drawn: Parameters<typeof paragraphParts>[0], { page, blocks, running }: PageBlocks): Part[] {
  const headings = new Map(
    blocks.filter(({ kind }) => kind === 'heading').map(({ text = '', level = 1 }) => [lettersOf(text), level] as const),
  )
  const left = new Set(running.map(({ text = '' }) => lettersOf(text)))
  return paragraphParts(
    drawn.filter(({ text }) => !left.has(lettersOf(text))),
    headings,
    page,
  )
}

/** Returns the values of form fields. */
function fieldParts({ pageNum, formFields = [] }: ParsedPage): Part[] {
  const lines = formFields.flatMap(({ name, alternateName, value = '', checked }) => {
    const shown = checked === undefined ? value : checked ? value || 'yes' : ''
    return shown.trim() && shown !== 'Off' ? [`${alternateName || name || 'Field'}: ${shown}`] : []
  })
  return lines.length > 0 ? [{ kind: 'paragraph', text: lines.join('\n'), page: pageNum }] : []
}

async function parse(bytes: Uint8Array): Promise<ParseResult> {
  if (expandsTooFar(bytes)) throw new SourceError('too_large', 'The PDF unpacks to more than is read.')
  const parser = new LiteParse({
    ocrEnabled: false,
    outputFormat: 'markdown',
    extractBlocks: true,
    extractFormFields: true,
    includeComplexity: true,
    imageMode: 'off',
    extractLinks: false,
    continueOnPageError: true,
    maxPages: 100_000,
    numWorkers: 1,
    quiet: true,
  })
  try {
    return await parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    if (/password|encrypt/i.test(String(cause))) throw new SourceError('encrypted_file', 'The PDF is protected by a password.', { cause })
    throw new SourceError('corrupt_file', 'The PDF is damaged and cannot be read.', { cause })
  }
}
