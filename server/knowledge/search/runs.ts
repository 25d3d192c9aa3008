import { sideBySide, type BaseIndex, type Stretch } from './base-index.ts'
import type { AskedBase } from './bm25.ts'
import type { PackedVectors } from './packed-vectors.ts'

/** What is searched of a base. */
export interface SearchedBase {
  readonly index: BaseIndex
  /** Only these generations; null for all live ones. */
  readonly wanted: readonly number[] | null
}

/** A base that is searched, and what is found out about its chunks, by their numbers; only that of chunks looked at is of this search. */
export interface ComparedBase extends SearchedBase, AskedBase {
  readonly bm25: Float32Array
  /** With the query. */
  readonly cosines: Float32Array
  /** How well words and meaning together match. */
  readonly matches: Float64Array
  /** Cosines with each of the leaders. */
  readonly near: readonly Float32Array[]
}

/** A stretch of one base that is scanned at once. */
export interface Run {
  readonly base: ComparedBase
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Of these the chunks that are looked at, ascending; null for all. */
  readonly some: Uint32Array | null
  /** Null where there is nothing to compare: only what has a word of the query is found. */
  readonly vectors: PackedVectors | null
}

/** All of each base. */
export const wholeRuns = (bases: readonly ComparedBase[], queryVector: Float32Array | null): Run[] =>
  bases.flatMap((base) => runsIn(base, base.index.stretches, queryVector))

/** Of each base what is wanted: what lies side by side at once, or each generation apart. */
export const wantedRuns = (bases: readonly ComparedBase[], queryVector: Float32Array | null, apart: boolean): Run[] =>
  bases.flatMap((base) => runsIn(base, stretchesOf(base, apart), queryVector))

function stretchesOf({ index, wanted }: SearchedBase, apart: boolean): readonly Stretch[] {
  if (wanted === null) return apart ? index.ranges : index.stretches
  const ranges = wanted.flatMap((generation) => index.rangeOf(generation) ?? []).toSorted((one, other) => one.from - other.from)
  return apart ? ranges : sideBySide(ranges)
}

function runsIn(base: ComparedBase, stretches: readonly Stretch[], queryVector: Float32Array | null): Run[] {
  const { vectors } = base.index
  const comparable = queryVector !== null && vectors?.dimensions === queryVector.length ? vectors : null
  return stretches.map(({ from, to, compared }) => ({ base, from, to, some: null, vectors: compared ? comparable : null }))
}

let every = new Uint32Array(0)

/** The chunks of a run that are looked at, ascending. */
export function chunksOf({ from, to, some }: Run): Uint32Array {
  if (some !== null) return some
  if (every.length < to) every = Uint32Array.from({ length: Math.ceil(to * 1.25) }, (_, chunk) => chunk)
  return every.subarray(from, to)
}

/** Writes the cosine of each chunk that is looked at with `vector`, by its number. */
export function compare(runs: readonly Run[], vector: Float32Array | null, into: (base: ComparedBase) => Float32Array | undefined): void {
  if (vector === null) return
  for (const { base, from, to, some, vectors } of runs) {
    const cosines = into(base)
    if (vectors === null || cosines === undefined) continue
    vectors.ask(vector)
    if (some === null) vectors.cosines(from, to, cosines)
    else vectors.cosinesOf(some, cosines)
  }
}

/** How many chunks of the runs are compared. */
export const comparedIn = (runs: readonly Run[]): number =>
  runs.reduce((total, { vectors, from, to }) => total + (vectors === null ? 0 : to - from), 0)
