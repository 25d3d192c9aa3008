import { sideBySide, type BaseIndex, type Stretch } from './base-index.ts'
import type { PackedVectors } from './packed-vectors.ts'

/** What is searched of a base. */
export interface SearchedBase {
  readonly index: BaseIndex
  /** Only these generations; null for all live ones. */
  readonly wanted: readonly number[] | null
}

/** A stretch of one base that is scanned at once. */
export interface Run {
  readonly index: BaseIndex
  /** Where the base's chunks begin among those of all bases. */
  readonly offset: number
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Null where there is nothing to compare: only what has a word of the query is found. */
  readonly vectors: PackedVectors | null
}

/** Of each base what is wanted: what lies side by side at once, or each generation apart. */
export function runsOf(bases: readonly SearchedBase[], queryVector: Float32Array | null, apart: boolean): Run[] {
  let offset = 0
  return bases.flatMap(({ index, wanted }) => {
    const comparable = queryVector !== null && index.vectors?.dimensions === queryVector.length ? index.vectors : null
    const runs = stretchesOf(index, wanted, apart).map(({ from, to, compared }) => ({
      index,
      offset,
      from,
      to,
      vectors: compared ? comparable : null,
    }))
    offset += index.size
    return runs
  })
}

function stretchesOf(index: BaseIndex, wanted: readonly number[] | null, apart: boolean): readonly Stretch[] {
  if (wanted === null) return apart ? index.ranges : index.stretches
  const ranges = wanted.flatMap((generation) => index.rangeOf(generation) ?? []).toSorted((one, other) => one.from - other.from)
  return apart ? ranges : sideBySide(ranges)
}

/** Of each run the chunks that are looked at, ascending; all where it has none of its own. */
export type Chosen = readonly (ArrayLike<number> | undefined)[]

export const everything: Chosen = []

/** Calls back with the place of each chosen chunk among those of all bases, and its cosine with `vector`. */
export function compare(
  runs: readonly Run[],
  chosen: Chosen,
  vector: Float32Array | null,
  use: (at: number, cosine: number) => void,
): void {
  if (vector === null) return
  for (const [place, { vectors, offset, from, to }] of runs.entries()) {
    if (vectors === null) continue
    vectors.ask(vector)
    const some = chosen[place]
    if (some !== undefined) vectors.cosinesOf(some, (cosine, chunk) => use(offset + chunk, cosine))
    else
      vectors.cosines(from, to, (cosines, first) => {
        for (let each = 0; each < cosines.length; each++) use(offset + first + each, cosines[each] ?? 0)
      })
  }
}

/** How many chunks of the runs are compared. */
export const comparedIn = (runs: readonly Run[]): number =>
  runs.reduce((total, { vectors, from, to }) => total + (vectors === null ? 0 : to - from), 0)
