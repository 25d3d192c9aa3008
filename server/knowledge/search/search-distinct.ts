import type { Context } from '../../context.ts'
import { plainText } from '../../lib/plain-text.ts'
import { searchChunks, type ChunkQuery, type Hit } from './search-chunks.ts'

export interface DistinctHit extends Hit {
  /** How many more of this text were left out of the list. */
  duplicates: number
}

/** Looked for beyond `topK` at once where the last search found copies: another search is needed where more of the hits are. */
const spare = 4
/** Bases with copies that are remembered. */
const mostWithCopies = 10_000
/** As far down as is looked for passages that are no copies. */
const deepest = 1000

/**
 * `searchChunks` with passages of one text as one hit, the best of them. Who follows is found further down the same order, so
 * a larger topK only makes the list longer here also; it may find more copies of what was there before.
 */
export async function searchDistinct(
  ctx: Context,
  query: ChunkQuery,
  { collapse = true }: { collapse?: boolean } = {},
): Promise<DistinctHit[]> {
  if (!collapse) return (await searchChunks(ctx, query)).map((hit) => ({ ...hit, duplicates: 0 }))
  const { withCopies } = ctx.indexes
  const bases = query.baseIds.join(' ')
  for (let depth = query.topK + (withCopies.has(bases) ? spare : 0); ; depth = Math.min(depth * 4, deepest)) {
    const hits = await searchChunks(ctx, { ...query, topK: depth })
    const distinct = withoutCopies(hits, query.topK)
    if (distinct.length < query.topK && hits.length === depth && depth < deepest) continue
    if (!distinct.some(({ duplicates }) => duplicates > 0)) withCopies.delete(bases)
    else if (withCopies.size < mostWithCopies) withCopies.add(bases)
    return distinct
  }
}

function withoutCopies(hits: readonly Hit[], atMost: number): DistinctHit[] {
  const distinct: DistinctHit[] = []
  const byBeginning = new Map<number, DistinctHit[]>()
  for (const hit of hits) {
    if (distinct.length === atMost) break
    const beginning = beginningOf(hit.text)
    const alike = byBeginning.get(beginning)
    // Whole texts are compared only where they begin alike: it would be a good part of the search's work.
    const text = alike === undefined ? '' : plainText(hit.text)
    const known = alike?.find((other) => plainText(other.text) === text)
    if (known !== undefined) {
      known.duplicates += 1
      continue
    }
    const one = { ...hit, duplicates: 0 }
    distinct.push(one)
    if (alike === undefined) byBeginning.set(beginning, [one])
    else alike.push(one)
  }
  return distinct
}

const beginningLength = 24
// eslint-disable-next-line no-control-regex
const isAscii = /^[\x00-\x7f]*$/

/** A number that equal texts have in common, of the letters they begin with. */
function beginningOf(text: string): number {
  const begins = text.slice(0, 4 * beginningLength)
  return hashOfBeginning(isAscii.test(begins) ? begins.toLowerCase() : plainText(begins)) ?? hashOfBeginning(plainText(text), 0) ?? 0
}

/** In the manner of Fowler, Noll and Vo; undefined where there are fewer letters than `atLeast`. */
function hashOfBeginning(plain: string, atLeast = beginningLength): number | undefined {
  let [hash, letters] = [0x811c9dc5, 0]
  for (let at = 0; at < plain.length && letters < beginningLength; at++) {
    const unit = plain.charCodeAt(at)
    if (unit <= 32) continue
    hash = Math.imul(hash ^ unit, 0x01000193)
    letters += 1
  }
  return letters < atLeast ? undefined : hash
}
