import { normalizeText } from '../../lib/normalize-text.ts'
import type { KnowledgeContext } from '../context.ts'
import { searchChunks, type ChunkQuery, type Hit } from './search-chunks.ts'

export interface DistinctHit extends Hit {
  /** Number of other hits with the same text, which were left out. */
  duplicates: number
}

/** Additional hits to retrieve if the last search of the knowledge bases found duplicates; more duplicates need a second search. */
const spare = 4
/** Sets of knowledge bases with duplicates in the cache. */
const maxWithDuplicates = 10_000
/** Hits that are retrieved to find distinct ones. */
const maxDepth = 1000

/**
 * Returns the hits of `searchChunks` with equal texts collapsed into the best one. Distinct hits come from further down the
 * same order, so a larger `topK` only extends the list, although it may count more duplicates of earlier hits.
 * `complete` is false if a hit was deleted or replaced during the search.
 */
export async function searchDistinct(
  ctx: KnowledgeContext,
  query: ChunkQuery,
  { collapse = true }: { collapse?: boolean } = {},
): Promise<{ hits: DistinctHit[]; complete: boolean }> {
  if (!collapse) {
    const { hits, complete } = await searchChunks(ctx, query)
    return { hits: hits.map((hit) => ({ ...hit, duplicates: 0 })), complete }
  }
  const { withDuplicates } = ctx.indexes
  const bases = query.baseIds.join(' ')
  for (let depth = query.topK + (withDuplicates.has(bases) ? spare : 0); ; depth = Math.min(depth * 4, maxDepth)) {
    const { hits, complete } = await searchChunks(ctx, { ...query, topK: depth })
    const distinct = collapseDuplicates(hits, query.topK)
    if (complete && distinct.length < query.topK && hits.length === depth && depth < maxDepth) continue
    if (!distinct.some(({ duplicates }) => duplicates > 0)) withDuplicates.delete(bases)
    else if (withDuplicates.size < maxWithDuplicates) withDuplicates.add(bases)
    return { hits: distinct, complete }
  }
}

function collapseDuplicates(hits: readonly Hit[], limit: number): DistinctHit[] {
  const distinct: DistinctHit[] = []
  const byPrefix = new Map<number, DistinctHit[]>()
  for (const hit of hits) {
    if (distinct.length === limit) break
    const prefix = prefixHash(hit.text)
    const alike = byPrefix.get(prefix)
    // Whole texts are compared only if their prefixes are equal: comparing all would be a large part of the search.
    const text = alike === undefined ? '' : normalizeText(hit.text)
    const known = alike?.find((other) => normalizeText(other.text) === text)
    if (known !== undefined) {
      known.duplicates += 1
      continue
    }
    const one = { ...hit, duplicates: 0 }
    distinct.push(one)
    if (alike === undefined) byPrefix.set(prefix, [one])
    else alike.push(one)
  }
  return distinct
}

const prefixLength = 24
// eslint-disable-next-line no-control-regex
const isAscii = /^[\x00-\x7f]*$/

/** Returns a hash of the first letters of a text: equal texts have equal hashes. */
function prefixHash(text: string): number {
  const start = text.slice(0, 4 * prefixLength)
  return hashOfLetters(isAscii.test(start) ? start.toLowerCase() : normalizeText(start)) ?? hashOfLetters(normalizeText(text), 0) ?? 0
}

/** Returns the FNV-1a hash of the first letters (Fowler, Noll and Vo); undefined if there are fewer than `minLetters`. */
function hashOfLetters(plain: string, minLetters = prefixLength): number | undefined {
  let [hash, letters] = [0x811c9dc5, 0]
  for (let at = 0; at < plain.length && letters < prefixLength; at++) {
    const unit = plain.charCodeAt(at)
    if (unit <= 32) continue
    hash = Math.imul(hash ^ unit, 0x01000193)
    letters += 1
  }
  return letters < minLetters ? undefined : hash
}
