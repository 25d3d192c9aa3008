import { inflateSync } from 'node:zlib'
import { LiteParse, type LayoutBlock, type ParseResult } from '@llamaindex/liteparse'
import { SourceError } from '../../lib/errors.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { markdownTable } from './table.ts'

/**
 * PDF with a text layer, by liteparse: headings, paragraphs, lists and tables with their pages; running headers and footers left out.
 * @throws SourceError corrupt_file, encrypted_file, too_large, empty_content
 */
export async function extractPdf({ bytes }: ExtractInput): Promise<Draft> {
  const result = await parse(bytes)
  const parts = joinLists(
    joinBrokenParagraphs(result.pages.flatMap((page) => (page.blocks ?? []).flatMap((block) => partOf(block, page.pageNum)))),
  )
  const unread = result.pages.filter((page) => page.text.trim() === '').length
  if (unread === result.pages.length) throw new SourceError('empty_content', 'The PDF has no text layer: its pages are pictures.')
  const garbled = result.pages.filter((page) => page.complexity?.isGarbled).length
  return {
    parts,
    pages: result.totalPages,
    warnings: [
      ...(unread > 0 ? [`${unread} of ${result.totalPages} pages have no text.`] : []),
      ...(garbled > 0 ? [`${garbled} of ${result.totalPages} pages have text whose characters may be wrong.`] : []),
      ...(result.pageErrors.length > 0 ? [`${result.pageErrors.length} of ${result.totalPages} pages could not be read.`] : []),
    ],
  }
}

async function parse(bytes: Uint8Array): Promise<ParseResult> {
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
    if (expandsTooFar(bytes)) throw new SourceError('too_large', 'The PDF unpacks to more than is read.', { cause })
    throw new SourceError('corrupt_file', 'The PDF is damaged and cannot be read.', { cause })
  }
}

/** Told after a failure: the parser reports memory it was refused as a damaged file. */
function expandsTooFar(bytes: Uint8Array): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const maxOutputLength = 64 * 2 ** 20
  for (let at = file.indexOf('stream\n'); at !== -1; at = file.indexOf('stream\n', at + 7)) {
    let data: Buffer = file.subarray(at + 7)
    try {
      for (let layer = 0; layer < 4; layer++) data = inflateSync(data, { maxOutputLength })
    } catch (error) {
      if (error instanceof RangeError) return true
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
      return [{ kind: 'code', text: (block.lines ?? []).join('\n'), page }]
    case 'grid_fallback':
      return [{ kind: 'paragraph', text: (block.lines ?? []).join('\n'), page }]
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

/** liteparse marks bold and italic runs in Markdown. */
function plain(text: string): string {
  return text.replace(/(\*{1,3})(?=\S)([^*]*?\S)\1/g, '$2').replace(/<br\s*\/?>/g, ' ')
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
