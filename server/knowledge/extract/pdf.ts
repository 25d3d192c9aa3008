import { LiteParse, type LayoutBlock, type ParsedPage, type ParseResult } from '@llamaindex/liteparse'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { leftOutWarnings, pageList } from './ocr-limits.ts'
import { partOf, withoutLiterals } from './pdf-blocks.ts'
import { expandsTooFar } from './pdf-bomb.ts'
import { readPdfLines } from './pdf-lines.ts'
import { withLostLines } from './pdf-lost-lines.ts'
import { readByOcr } from './pdf-ocr.ts'
import { joinAcrossPages } from './pdf-page-breaks.ts'
import { isRightToLeft, lettersOf, paragraphParts } from './pdf-paragraphs.ts'
import { withoutRunningLines, type PageBlocks } from './running-lines.ts'

/**
 * Extracts PDF: headings, paragraphs, lists and tables with their pages, by liteparse, without running headers and footers.
 * Pages with a wrong layout are read line by line with PDFium, pages without text by OCR.
 * @throws SourceError corrupt_file, encrypted_file, too_large, empty_content
 */
export async function extractPdf({ bytes, language, ocr: limits, onProgress }: ExtractInput): Promise<Draft> {
  const result = await parse(bytes)
  const pictures = result.pages.filter((page) => isPicture(page) && !isBlank(page))
  const ocr = pictures.length > 0 ? await readByOcr(bytes, pictures, { language, limits, onPage: onProgress }) : { pages: [], leftOut: [] }
  const recognized = new Map(ocr.pages.map((page) => [page.pageNum, page]))
  const pages = result.pages.flatMap((page) => recognized.get(page.pageNum) ?? (isPicture(page) ? [] : [page]))
  const leftOut = leftOutWarnings(ocr.leftOut, limits)
  if (pages.length === 0) throw new SourceError('empty_content', ['The PDF has no text.', ...leftOut].join(' '))
  const mistaken = pages.filter((page) => !recognized.has(page.pageNum) && isMistaken(page))
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
  const all = result.totalPages
  return {
    parts: [...joinAcrossPages(parts.map(withoutLiterals)), ...fields],
    pages: all,
    warnings: [
      ...(recognized.size > 0 ? [`${recognized.size} of ${all} pages are pictures and were read by OCR.`] : []),
      ...leftOut,
      ...(result.pageErrors.length > 0
        ? [`Not all pages could be read: ${pageList(result.pageErrors.map(({ pageNum }) => pageNum))} are damaged.`]
        : []),
    ],
  }
}

/** Returns whether a page has no text, is a scan with only a stamp, or has unreadable text. */
function isPicture(page: ParsedPage): boolean {
  const { length } = page.text.trim()
  return length === 0 || (page.complexity?.fullPageImage === true && length < 30) || isGlyphNumbers(page)
}

/** Returns whether a page shows nothing: no text, no picture and no drawn letters. */
function isBlank({ text, complexity }: ParsedPage): boolean {
  if (text.trim() !== '' || !complexity) return false
  const { fullPageImage, imageBlockCount, uncoveredVectorArea = 0 } = complexity
  return !fullPageImage && imageBlockCount === 0 && uncoveredVectorArea === 0
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
