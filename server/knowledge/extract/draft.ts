import type { SourceWarning } from '@groundwork/api'
import { cleanBlock, cleanLine, cleanText } from './clean.ts'
import type { Block, ExtractedDocument, PageMark } from './document.ts'
import { detectLanguage } from './language.ts'
import { documentLimits, tooMuchText } from './limits.ts'
import type { OcrLimits } from './ocr-limits.ts'
import { isContents, isTitle } from './title.ts'
import { SourceError } from '../../lib/errors.ts'

/** The bytes of a document and its declared properties, which decide only if the bytes are ambiguous. */
export interface ExtractInput {
  readonly bytes: Uint8Array
  readonly fileName?: string
  /** The declared type with its parameters: `text/html; charset=utf-8`. */
  readonly contentType?: string
  readonly url?: string
  /** BCP 47 tag of the expected language, used if the text does not reveal one. */
  readonly language?: string
  /** Limits of OCR; `defaultOcrLimits` by default. */
  readonly ocr?: OcrLimits | undefined
  /** Called when a part of a long reading is done, such as a page of OCR. */
  readonly onProgress?: (() => void) | undefined
}

/** A block without its position in the text. */
export interface Part {
  readonly kind: Block['kind']
  readonly text: string
  readonly level?: number
  /** The title of a heading in the document's outline. */
  readonly title?: string
  readonly page?: number
  /** Offsets into `text` at which the following pages begin. */
  readonly pages?: readonly PageMark[]
  /** Rounded down to whole seconds. */
  readonly startSecond?: number
}

/** The result of a parser: the parts in reading order. Cleaning, spans and language detection are the same for every kind. */
export interface Draft {
  readonly parts: readonly Part[]
  readonly title?: string | null
  /** As declared by the document, in any form of tag. */
  readonly language?: string | null
  readonly pages?: number
  readonly warnings?: readonly SourceWarning[]
}

/** Parses a nested document, such as an attachment. @throws SourceError, as for any document */
export type ParseNested = (input: ExtractInput) => Promise<Draft>

/** Joins the parts into one text with spans, as `ExtractedDocument` specifies. @throws SourceError empty_content, too_large */
export function assemble(mediaType: string, draft: Draft, likelyLanguage?: string): ExtractedDocument {
  const blocks: Block[] = []
  const texts: string[] = []
  let offset = 0
  for (const part of draft.parts) {
    const text = part.kind === 'heading' ? cleanLine(part.text) : cleanBlock(part.text, part.kind)
    if (!/[\p{L}\p{N}\p{S}\p{P}]/u.test(text)) continue
    if (texts.length > 0) offset += 2
    blocks.push({
      kind: part.kind,
      start: offset,
      end: offset + text.length,
      ...(part.kind === 'heading' && { level: Math.min(6, Math.max(1, part.level ?? 1)) }),
      ...(part.title !== undefined && cleanLine(part.title) !== text && { title: cleanLine(part.title) }),
      ...(part.page !== undefined && { page: part.page }),
      ...(part.pages !== undefined && { pages: marksIn(part.text, part.pages, text, offset) }),
      ...(part.startSecond !== undefined && { startSecond: Math.max(0, Math.floor(part.startSecond)) }),
    })
    texts.push(text)
    offset += text.length
    if (offset > documentLimits.characters) throw tooMuchText()
    if (blocks.length > documentLimits.blocks)
      throw new SourceError('too_large', `The document has more than ${documentLimits.blocks} paragraphs, the maximum. Split it.`)
  }
  if (blocks.length === 0) throw new SourceError('empty_content', 'The document has no text.')
  const title = cleanLine(draft.title ?? '') || titleAmong(blocks, texts)
  return {
    mediaType,
    title: title && title.slice(0, 300).replace(/[\uD800-\uDBFF]$/, ''),
    language: detectLanguage(texts, blocks, draft.language || (likelyLanguage ?? null)),
    pages: draft.pages ?? null,
    text: texts.join('\n\n'),
    blocks,
    warnings: draft.warnings ?? [],
  }
}

/** Returns the first heading of the first level that is not above a table of contents, if it names a document and no chapter. */
function titleAmong(blocks: readonly Block[], texts: readonly string[]): string | null {
  const first = blocks.findIndex(({ kind, level }, at) => kind === 'heading' && level === 1 && !isContents(texts[at] ?? ''))
  const heading = texts[first] ?? ''
  return isTitle(heading) &&
    !/^(?:chapter|part|section|appendix|kapitel|teil|abschnitt|anhang|chapitre|partie|cap[ií]tulo)\s+(?:\d+|[ivxlc]+)\b/i.test(heading)
    ? heading
    : null
}

/**
 * Returns marks of a raw text as marks of the cleaned text at `offset`. Cleaning changes white space and removes invisible
 * characters, so a place is found by the number of visible characters before it.
 */
function marksIn(raw: string, marks: readonly PageMark[], clean: string, offset: number): PageMark[] {
  const visible = /\S/g
  let from = 0
  return marks.map(({ start, page }) => {
    const before = cleanText(raw.slice(from, start)).replace(/\s+/g, '').length
    from = start
    for (let count = 0; count < before; count++) visible.exec(clean)
    return { start: offset + visible.lastIndex, page }
  })
}
