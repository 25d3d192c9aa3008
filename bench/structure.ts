import type { Chunk } from '@groundwork/server/knowledge/chunk/chunk'
import { headingTitle } from '@groundwork/server/knowledge/chunk/outline'
import type { ExtractedDocument } from '@groundwork/server/knowledge/extract/document'
import type { Bookmark } from '@groundwork/server/knowledge/extract/pdf-outline'
import { headingKey, wordsOf } from './structure-words.ts'

type Cited = Pick<Chunk, 'start' | 'end' | 'page' | 'pageEnd'>

/** Counts of chunks that satisfy a measure, and of those that were examined. */
export interface Count {
  readonly held: number
  readonly of: number
}

export function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): Count {
  return { held: items.filter(holds).length, of: items.length }
}

/** Returns the share as a number from 0 to 1; 1 if nothing was examined. */
export function ratio({ held, of }: Count): number {
  return of === 0 ? 1 : held / of
}

/** Returns the chunks whose heading path is a path of the bookmarks that are in force on the chunk's pages. */
export function underTheirBookmarks(
  chunks: readonly Pick<Chunk, 'headingPath' | 'page' | 'pageEnd' | 'text'>[],
  bookmarks: readonly Bookmark[],
): Count {
  const sections = bookmarkPaths(bookmarks)
  const placed = chunks.filter(({ page }) => page !== null)
  return shareOf(placed, ({ headingPath, page, pageEnd, text }) => {
    const before = sections.findLastIndex((section) => section.page < (page ?? 0))
    const after = sections.findIndex((section) => section.page > (pageEnd ?? page ?? 0))
    const possible = [
      before < 0 ? [] : (sections[before]?.path ?? []),
      ...sections.slice(before + 1, after < 0 ? undefined : after).map(({ path }) => path),
    ]
    const own = headingPath.map(headingKey)
    if (possible.some((path) => same(path, own))) return true
    // A chunk of several small sections has the headings that they share.
    const letters = headingKey(text)
    return possible.some((path, at) => {
      const next = possible[at + 1]
      return next !== undefined && letters.includes(next.at(-1) ?? '') && same(sharedOf(path, next), own)
    })
  })
}

/** Returns the bookmarks that are headings of the document, with the same headings above them. */
export function foundBookmarks(document: ExtractedDocument, bookmarks: readonly Bookmark[]): Count {
  const above: { readonly level: number; readonly key: string }[] = []
  const found = new Map<string, number>()
  for (const block of document.blocks.filter(({ kind }) => kind === 'heading')) {
    const { level = 1 } = block
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    above.push({ level, key: headingKey(headingTitle(document.text, block)) })
    const path = above.map(({ key }) => key).join('>')
    found.set(path, (found.get(path) ?? 0) + 1)
  }
  return shareOf(bookmarkPaths(bookmarks), ({ path }) => {
    const left = found.get(path.join('>')) ?? 0
    found.set(path.join('>'), left - 1)
    return left > 0
  })
}

/** Returns the bookmarks that lead to a page, in the order of pages, with their paths as keys. */
function bookmarkPaths(bookmarks: readonly Bookmark[]): { page: number; path: readonly string[] }[] {
  const above: { readonly level: number; readonly key: string }[] = []
  const paths = bookmarks.map(({ title, level, page }) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    above.push({ level, key: headingKey(title) })
    return { page: page ?? 0, path: above.map(({ key }) => key) }
  })
  return paths.filter(({ page }) => page > 0).toSorted((a, b) => a.page - b.page)
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at])
}

function sharedOf(one: readonly string[], other: readonly string[]): string[] {
  const end = one.findIndex((key, at) => key !== other[at])
  return one.slice(0, end < 0 ? one.length : end)
}

/** Part of a chunk's words that its pages must have; the rest are hyphenated words and signs that tools read differently. */
const enough = 0.9
const edgeWords = 8
/** Words that a chunk has at least on its first and its last page: it may end after the first line of a page. */
const fewWords = 2

/**
 * Returns the chunks that stand on the pages that they cite: their words are on those pages, their first words are on the
 * first one, and their last words are on the last one: most of eight, or both of two. Pages with fewer than 20 words, such as scans, are not examined.
 * @param pages the text of each page
 */
export function onTheirPages(text: string, chunks: readonly Cited[], pages: readonly string[]): Count {
  const known = pages.map((page) => {
    const words = wordsOf(page)
    return { words: new Set(words), letters: words.join('') }
  })
  const examined = chunks.filter(({ page, pageEnd }) => {
    const cited = page === null ? [] : known.slice(page - 1, pageEnd ?? page)
    return cited.length > 0 && cited.every(({ words }) => words.size >= 20)
  })
  return shareOf(examined, ({ start, end, page, pageEnd }) => {
    const own = wordsOf(text.slice(start, end))
    const first = (page ?? 1) - 1
    const last = (pageEnd ?? page ?? 1) - 1
    const cited = known.slice(first, last + 1)
    // Programs divide formulas and spaced letters into words in different ways.
    const isOn = (part: readonly string[], sets: readonly ((typeof known)[number] | undefined)[], share: number): boolean =>
      part.filter((word) => sets.some((set) => set && (set.words.has(word) || (word.length > 2 && set.letters.includes(word))))).length >=
      share * part.length
    const isAtEdge = (wordsAtEdge: (count: number) => readonly string[], at: number): boolean =>
      isOn(wordsAtEdge(edgeWords), [known[at]], 0.75) || isOn(wordsAtEdge(fewWords), [known[at]], 1)
    return isOn(own, cited, enough) && isAtEdge((count) => own.slice(0, count), first) && isAtEdge((count) => own.slice(-count), last)
  })
}

/** The place of a chunk's first character. */
export type ChunkStart = 'line' | 'sentence' | 'inside a line' | 'inside a word'

/** Rows and blocks begin with a line. */
export function startOf(text: string, { start }: Pick<Chunk, 'start'>): ChunkStart {
  const before = text.slice(Math.max(0, start - 20), start)
  if (/(?:^|\n)[^\S\n]*$/.test(before)) return 'line'
  const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
  const inWord = /[\p{L}\p{M}\p{N}]$/u.test(before) && /^[\p{L}\p{M}\p{N}]/u.test(text.slice(start, start + 2))
  if (inWord && !(unspaced.test(before.slice(-1)) || unspaced.test(text.slice(start, start + 1)))) return 'inside a word'
  return /[.!?:;…。！？।؟۔]["'”’»)\]*_]*\s*$/u.test(before) ? 'sentence' : 'inside a line'
}

/** Returns the chunks with fewer than 40 characters of their own. */
export function shortChunks(chunks: readonly Pick<Chunk, 'start' | 'end'>[]): Count {
  return shareOf(chunks, ({ start, end }) => end - start < 40)
}

/** Returns the chunks that contain a table or a part of one. */
export function chunksWithTables({ blocks }: ExtractedDocument, chunks: readonly Pick<Chunk, 'start' | 'end'>[]): Count {
  const tables = blocks.filter(({ kind }) => kind === 'table')
  return shareOf(chunks, (chunk) => tables.some(({ start, end }) => start < chunk.end && chunk.start < end))
}
