import { sourceWarning } from '@groundwork/api'
import type { ParsedPage } from '@llamaindex/liteparse'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { leftOutWarnings, pageList } from './ocr-limits.ts'
import { layoutPages } from './pdf-layout.ts'
import { readPdfLines } from './pdf-lines.ts'
import { readByOcr } from './pdf-ocr.ts'
import { readOutline } from './pdf-outline.ts'
import { isRightToLeft } from './pdf-paragraphs.ts'
import { minPageCharacters, hasControls, parsePdf } from './pdf-parser.ts'
import { structured } from './pdf-structure.ts'

/**
 * Extracts PDF: headings, paragraphs, lists, tables and code with their pages, from the text that liteparse reads and the
 * bookmarks that PDFium reads. Pages in right-to-left scripts are read line by line with PDFium, pages without text by OCR.
 * @throws SourceError corrupt_file, encrypted_file, too_large, empty_content
 */
export async function extractPdf({ bytes, language, ocr: limits, onProgress }: ExtractInput): Promise<Draft> {
  const result = await parsePdf(bytes)
  const pictures = result.pages.filter((page) => isPicture(page) && !isBlank(page))
  const ocr = pictures.length > 0 ? await readByOcr(bytes, pictures, { language, limits, onPage: onProgress }) : { pages: [], leftOut: [] }
  const recognized = new Map(ocr.pages.map((page) => [page.pageNum, page]))
  const pages = result.pages.flatMap((page) => recognized.get(page.pageNum) ?? (isPicture(page) ? [] : [page]))
  const leftOut = leftOutWarnings(ocr.leftOut, limits)
  if (pages.length === 0) throw new SourceError('empty_content', ['The PDF has no text.', ...leftOut].join(' '))
  const reversed = pages.filter(({ pageNum, text }) => !recognized.has(pageNum) && isRightToLeft(text)).map(({ pageNum }) => pageNum)
  const lines = reversed.length > 0 ? await readPdfLines(bytes, reversed) : new Map()
  const all = result.totalPages
  const { title, parts } = structured(layoutPages(pages, lines), await readOutline(bytes), all)
  return {
    title,
    parts: [...parts, ...result.pages.flatMap(fieldParts)],
    pages: all,
    warnings: [
      ...(recognized.size > 0 ? [sourceWarning('ocr_read', { count: recognized.size, total: all })] : []),
      ...leftOut,
      ...(result.pageErrors.length > 0
        ? [sourceWarning('pages_damaged', { pages: pageList(result.pageErrors.map(({ pageNum }) => pageNum)) })]
        : []),
    ],
  }
}

/** Returns whether a page has no text, is a scan with only a stamp, or has unreadable text. */
function isPicture(page: ParsedPage): boolean {
  const { length } = page.text.trim()
  if (length === 0 || (page.complexity?.fullPageImage === true && length < minPageCharacters)) return true
  // Glyph numbers, of a font without a character map.
  return page.complexity?.isGarbled === true && hasControls(page.text)
}

/** Returns whether a page shows nothing: no text, no picture and no drawn letters. */
function isBlank({ text, complexity }: ParsedPage): boolean {
  if (text.trim() !== '' || !complexity) return false
  const { fullPageImage, imageBlockCount, uncoveredVectorArea = 0 } = complexity
  return !fullPageImage && imageBlockCount === 0 && uncoveredVectorArea === 0
}

/** Returns the values of form fields. */
function fieldParts({ pageNum, formFields = [] }: ParsedPage): Part[] {
  const lines = formFields.flatMap(({ name, alternateName, value = '', checked }) => {
    const shown = checked === undefined ? value : checked ? value || 'yes' : ''
    return shown.trim() && shown !== 'Off' ? [`${alternateName || name || 'Field'}: ${shown}`] : []
  })
  return lines.length > 0 ? [{ kind: 'paragraph', text: lines.join('\n'), page: pageNum }] : []
}
