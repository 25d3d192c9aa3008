import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Chunk } from '@groundwork/server/knowledge/chunk/chunk'
import { chunkDocument } from '@groundwork/server/knowledge/chunk/chunk-document'
import type { ExtractedDocument } from '@groundwork/server/knowledge/extract/document'
import type { Extractor } from '@groundwork/server/knowledge/extract/extractor'
import { readOutline, type Bookmark } from '@groundwork/server/knowledge/extract/pdf-outline'
import {
  startOf,
  chunksWithTables,
  foundBookmarks,
  onTheirPages,
  ratio,
  shareOf,
  shortChunks,
  underTheirBookmarks,
  type Count,
} from './structure.ts'

/** The default settings of a knowledge base. */
const settings = { strategy: 'semantic', size: 512, overlap: 64 } as const

/** A completed document, with all that the measures compare. */
export interface MeasuredDocument {
  readonly path: string
  readonly document: ExtractedDocument
  readonly chunks: readonly Chunk[]
  readonly structure: Structure
  /** Chunks that stand on the pages that they cite, to add up over documents. */
  readonly onPages: Count
}

/** Shares of chunks, from 0 to 1; null if the measure does not apply to the document. */
export interface Structure {
  /** Chunks with a path of the bookmarks on their pages. */
  readonly headingPaths: number | null
  /** Bookmarks that are headings with the same headings above them. */
  readonly bookmarks: number | null
  /** Chunks that stand on the pages that they cite. */
  readonly pages: number | null
  /** Chunks that begin with a line, row or sentence. */
  readonly wholeStarts: number
  readonly insideWords: number
  /** Chunks with fewer than 40 characters. */
  readonly short: number
  readonly withTables: number
}

/** Returns the files of a folder and its subfolders, relative to it, in order. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .toSorted()
}

/** Reads a document and measures its structure; null if it is not read. */
export async function measureStructure(extractor: Extractor, folder: string, path: string): Promise<MeasuredDocument | null> {
  const file = join(folder, path)
  const bytes = await readFile(file)
  const document = await extractor.extract({ bytes, fileName: basename(path) }).catch(() => null)
  return document && measured(path, document, bytes, file)
}

/** Measures the structure of a document that has been extracted from a file. */
export async function measured(path: string, document: ExtractedDocument, bytes: Uint8Array, file: string): Promise<MeasuredDocument> {
  const chunks = await chunkDocument(document, settings)
  const isPdf = document.mediaType === 'application/pdf'
  const bookmarks = isPdf ? (await readOutline(bytes)).bookmarks : []
  const pages = isPdf && !isScan(document) ? await pageTexts(file) : []
  const onPages = onTheirPages(document.text, chunks, pages)
  return { path, document, chunks, structure: structureOf(document, chunks, bookmarks, onPages), onPages }
}

/** Returns whether OCR read many pages: they have a wrong text of their own. Single pages, such as covers, have none. */
export function isScan({ warnings }: Pick<ExtractedDocument, 'warnings'>): boolean {
  return warnings.some((warning) => {
    const [, recognized, all] = /^(\d+) of (\d+) pages .* OCR/.exec(warning) ?? []
    return Number(recognized) > 0.1 * Number(all)
  })
}

export function structureOf(
  document: ExtractedDocument,
  chunks: readonly Chunk[],
  bookmarks: readonly Bookmark[],
  onPages: Count,
): Structure {
  const starts = chunks.map((chunk) => startOf(document.text, chunk))
  const orNull = (share: Count): number | null => (share.of === 0 ? null : ratio(share))
  const used = bookmarks.filter(({ page }) => page !== null).length >= 2
  return {
    headingPaths: used ? orNull(underTheirBookmarks(chunks, bookmarks)) : null,
    bookmarks: used ? orNull(foundBookmarks(document, bookmarks)) : null,
    pages: orNull(onPages),
    wholeStarts: ratio(shareOf(starts, (one) => one === 'line' || one === 'sentence')),
    insideWords: 1 - ratio(shareOf(starts, (one) => one !== 'inside a word')),
    short: chunks.length === 0 ? 0 : ratio(shortChunks(chunks)),
    withTables: chunks.length === 0 ? 0 : ratio(chunksWithTables(document, chunks)),
  }
}

/** Returns the text of each page of a PDF, by pdftotext of poppler-utils, so that another program judges. */
export async function pageTexts(file: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('pdftotext', ['-q', '-enc', 'UTF-8', file, '-'], { maxBuffer: 1e9 })
  return stdout.split('\f').slice(0, -1)
}

/** Returns the sum of counts. */
export function pooled(counts: readonly Count[]): Count {
  return counts.reduce((sum, { held, of }) => ({ held: sum.held + held, of: sum.of + of }), { held: 0, of: 0 })
}

/** Returns the mean of the values that are not null; null if there are none. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}
