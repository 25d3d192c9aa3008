import { constants, inflateSync } from 'node:zlib'
import { LiteParse, type LayoutBlock, type ParsedPage, type ParseResult } from '@llamaindex/liteparse'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { withoutRunningLines } from './running-lines.ts'
import { markdownTable } from './table.ts'

const expandedLimit = 128 * 2 ** 20

/**
 * PDF with a text layer, by liteparse: headings, paragraphs, lists and tables with their pages; running headers and footers left out.
 * @throws SourceError corrupt_file, encrypted_file, too_large, empty_content
 */
export async function extractPdf({ bytes }: ExtractInput): Promise<Draft> {
  const result = await parse(bytes)
  const lines = withoutRunningLines(result.pages.filter((page) => !isGlyphNumbers(page)))
  const parts = joinLists(joinBrokenParagraphs(lines.flatMap(({ page, blocks }) => blocks.flatMap((block) => partOf(block, page)))))
  const unread = result.pages.filter((page) => page.text.trim() === '').length
  if (unread === result.pages.length) throw new SourceError('empty_content', 'The PDF has no text layer: its pages are pictures.')
  const garbled = result.pages.filter(isGlyphNumbers).length
  return {
    parts,
    pages: result.totalPages,
    warnings: [
      ...(unread > 0 ? [`${unread} of ${result.totalPages} pages have no text.`] : []),
      ...(garbled > 0
        ? [`${garbled} of ${result.totalPages} pages are left out: their fonts do not tell which characters they show.`]
        : []),
      ...(result.pageErrors.length > 0 ? [`${result.pageErrors.length} of ${result.totalPages} pages could not be read.`] : []),
    ],
  }
}

/** A font without a map to characters gives its glyphs' numbers, control characters among them: no text, though it looks like some. */
function isGlyphNumbers(page: ParsedPage): boolean {
  // oxlint-disable-next-line no-control-regex
  const controls = page.text.match(/[\u0001-\u0008\u000E-\u001F]/g)?.length ?? 0
  return page.complexity?.isGarbled === true && controls > page.text.length * 0.01
}

async function parse(bytes: Uint8Array): Promise<ParseResult> {
  if (expandsTooFar(bytes)) throw new SourceError('too_large', 'The PDF unpacks to more than is read.')
  const parser = new LiteParse({
    ocrEnabled: false,
    outputFormat: 'markdown',
    extractBlocks: true,
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

/**
 * Whether a stream that is not a picture unpacks to more than `expandedLimit`: the parser would need several times that. Deflate gives
 * at most 1032 bytes for one, so short streams with a single filter need no look.
 */
function expandsTooFar(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = file.indexOf('stream'); at !== -1; at = file.indexOf('stream', at + 6)) {
    const before = file.toString('latin1', Math.max(0, at - 400), at)
    const dictionary = before.split(/endobj|endstream/).at(-1) ?? ''
    const filters = dictionary.match(/\/(FlateDecode|Fl)\b/g)?.length ?? 0
    if (filters === 0 || /\/Subtype\s*\/Image/.test(dictionary)) continue
    const end = file.indexOf('endstream', at)
    const start = at + (file[at + 6] === 13 ? 8 : 7)
    if (inflatesBeyond(file.subarray(start, end === -1 ? file.length : end), filters)) return true
    at = end === -1 ? file.length : end + 3
  }
  return false
}

function inflatesBeyond(stream: Buffer, filters: number): boolean {
  let data = stream
  for (let layer = 0; layer < Math.min(filters, 4); layer++) {
    if (layer === filters - 1 && data.length * 1032 < expandedLimit) return false
    try {
      data = inflateSync(data, { maxOutputLength: expandedLimit, finishFlush: constants.Z_SYNC_FLUSH })
    } catch (error) {
      return error instanceof RangeError
    }
  }
  return false
}

function partOf(block: LayoutBlock, page: number): Part[] {
  switch (block.kind) {
    case 'heading':
      return [{ kind: 'heading', level: block.level ?? 1, text: plain(block.text ?? ''), page }]
    case 'paragraph':
      return [{ kind: 'paragraph', text: plain(block.text ?? ''), page }]
    case 'list_item':
      return [
        {
          kind: 'list',
          text: `${'  '.repeat(block.level ?? 0)}${block.ordered ? (block.marker ?? '1.') : '-'} ${plain(block.text ?? '')}`,
          page,
        },
      ]
    case 'code':
    case 'grid_fallback':
      return linesParts(block.lines ?? [], page)
    case 'table':
      return [
        {
          kind: 'table',
          text: markdownTable([block.header ?? [], ...(block.rows ?? [])].map((row) => row.map((cell) => plain(cell.text)))),
          page,
        },
      ]
    default:
      return []
  }
}

/** Verbatim lines: justified prose is taken for code now and then, and is told by its long lines of words. */
function linesParts(lines: readonly string[], page: number): Part[] {
  const prose = lines.filter((line) => (line.match(/\p{L}{2,}/gu)?.length ?? 0) > 5 && !/[{};=<>]|\s{4,}\S/.test(line.trim()))
  if (prose.length < 3 || prose.length < lines.length * 0.6) return [{ kind: 'code', text: lines.join('\n'), page }]
  return [{ kind: 'paragraph', text: unwrap(lines), page }]
}

function unwrap(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join('\n')
    .replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
    .replaceAll('\n', ' ')
}

/** liteparse writes Markdown: bold and italic runs between asterisks, and asterisks and their like of the text escaped. */
function plain(text: string): string {
  return text
    .replace(/(?<![\\*])(\*{1,3})(?=[^\s*])((?:\\\*|[^*])*?[^\s*\\])\1(?!\*)/g, '$2')
    .replace(/<br\s*\/?>/g, ' ')
    .replace(/\\([*_`[\]|<>#~])/g, '$1')
}

function joinLists(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.kind === 'list' && last?.kind === 'list') joined[joined.length - 1] = { ...last, text: `${last.text}\n${part.text}` }
    else joined.push(part)
  }
  return joined
}

/** A paragraph that a page break cuts goes on where it began: the one ends inside a sentence, the next begins in lower case. */
function joinBrokenParagraphs(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    const goesOn =
      last?.kind === 'paragraph' &&
      part.kind === 'paragraph' &&
      part.page !== last.page &&
      /^\p{Ll}/u.test(part.text) &&
      /[\p{L},-]$/u.test(last.text)
    if (!goesOn || !last) joined.push(part)
    else
      joined[joined.length - 1] = {
        ...last,
        text: /\p{L}-$/u.test(last.text) ? last.text.slice(0, -1) + part.text : `${last.text} ${part.text}`,
      }
  }
  return joined
}
