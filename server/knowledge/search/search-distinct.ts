import type { Context } from '../../context.ts'
import { plainText } from '../../lib/plain-text.ts'
import { searchChunks, type ChunkQuery, type Hit } from './search-chunks.ts'

export interface DistinctHit extends Hit {
  /** How many more of this text were left out of the list. */
  duplicates: number
}

/** Looked for beyond `topK` at once: a second search is needed where more than so many are copies. */
const spare = 4
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
  for (let depth = query.topK + spare; ; depth = Math.min(depth * 4, deepest)) {
    const hits = await searchChunks(ctx, { ...query, topK: depth })
    const distinct = withoutCopies(hits, query.topK)
    if (distinct.length === query.topK || hits.length < depth || depth === deepest) return distinct
  }
}

function withoutCopies(hits: readonly Hit[], atMost: number): DistinctHit[] {
  const distinct: DistinctHit[] = []
  const byBeginning = new Map<string, DistinctHit[]>()
  for (const hit of hits) {
    if (distinct.length === atMost) break
    const beginning = beginningOf(hit.text)
    const alike = byBeginning.get(beginning) ?? []
    // Whole texts are compared only where they begin alike: it would be a good part of the search's work.
    const text = alike.length === 0 ? '' : plainText(hit.text)
    const known = alike.find((other) => plainText(other.text) === text)
    if (known !== undefined) {
      known.duplicates += 1
      continue
    }
    const one = { ...hit, duplicates: 0 }
    distinct.push(one)
    byBeginning.set(beginning, [...alike, one])
  }
  return distinct
}

const beginningLength = 24

/** Equal texts begin alike. */
function beginningOf(text: string): string {
  const begins = (part: string): string => plainText(part).replaceAll(' ', '').slice(0, beginningLength)
  const beginning = begins(text.slice(0, 4 * beginningLength))
  return beginning.length < beginningLength ? begins(text) : beginning
}
