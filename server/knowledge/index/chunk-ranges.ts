import { mergeAdjacent, type BaseIndex, type ChunkRange } from './base-index.ts'
import type { Bm25Base } from './bm25.ts'
import type { ScoreBuffers, ScratchBuffers } from './scratch-buffers.ts'
import type { FloatVectors } from './vectors.ts'

/** A knowledge base that is searched. */
export interface SearchedBase {
  readonly index: BaseIndex
  /** The generations to search; null for all live ones. */
  readonly selected: readonly number[] | null
}

/** A searched knowledge base with scores by chunk number. Only the scores of scanned chunks belong to the current search. */
export interface ScoredBase extends SearchedBase, Bm25Base, ScoreBuffers {}

/** A range of chunks of one knowledge base that is scanned at once. */
export interface ScanRange {
  readonly base: ScoredBase
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** The candidates in the range, ascending; null for all chunks. */
  readonly selected: Uint32Array | null
  /** Null when no vectors take part: then only chunks with a term of the query are found. */
  readonly vectors: FloatVectors | null
  /** How far the vectors mean something for the query, 0 to 1; 0 without them. */
  readonly competence: number
  /** The generation of the chunks; undefined if there may be several. */
  readonly generation: number | undefined
}

/** The vector of a query, and how far it means something, 0 to 1. */
export interface ComparedQuery {
  readonly queryVector: Float32Array | null
  readonly competence: number
}

/** Returns the ranges of all live chunks. */
export const fullScanRanges = (bases: readonly ScoredBase[], query: ComparedQuery): ScanRange[] =>
  bases.flatMap((base) => scanRanges(base, base.index.contiguousRanges, query))

/**
 * Returns the ranges of the generations to search.
 * @param perGeneration keeps generations apart; otherwise adjacent ones are merged
 */
export const selectedScanRanges = (bases: readonly ScoredBase[], query: ComparedQuery, perGeneration: boolean): ScanRange[] =>
  bases.flatMap((base) => scanRanges(base, selectedRanges(base, perGeneration), query))

type SelectedRange = ChunkRange & { readonly generation?: number }

function selectedRanges({ index, selected }: SearchedBase, perGeneration: boolean): readonly SelectedRange[] {
  if (selected === null && !perGeneration) return index.contiguousRanges
  const generations =
    selected === null
      ? index.ranges
      : selected.flatMap((generation) => index.rangeOf(generation) ?? []).toSorted((one, other) => one.from - other.from)
  if (!perGeneration) return mergeAdjacent(generations.flatMap(({ parts }) => parts))
  return generations.flatMap(({ generation, parts }) => parts.map((part) => ({ ...part, generation })))
}

function scanRanges(base: ScoredBase, ranges: readonly SelectedRange[], query: ComparedQuery): ScanRange[] {
  const { vectors } = base.index
  const comparable = query.queryVector !== null && vectors?.dimensions === query.queryVector.length ? vectors : null
  return ranges.map(({ from, to, generation, ...range }) => {
    const competence = comparable === null ? 0 : Math.min(range.competence, query.competence)
    return { base, from, to, generation, selected: null, vectors: competence > 0 ? comparable : null, competence }
  })
}

/** Returns the chunk numbers to scan in a range, ascending. */
export const chunksOf = ({ from, to, selected }: ScanRange, scratch: ScratchBuffers): Uint32Array =>
  selected ?? scratch.consecutive(from, to)

/** Writes the cosine of each scanned chunk with `vector` to the array that `into` returns, by chunk number. */
export function computeCosines(
  ranges: readonly ScanRange[],
  vector: Float32Array | null,
  into: (base: ScoredBase) => Float32Array | undefined,
): void {
  if (vector === null) return
  for (const { base, from, to, selected, vectors } of ranges) {
    const cosines = into(base)
    if (vectors === null || cosines === undefined) continue
    vectors.setQuery(vector)
    if (selected === null) vectors.cosines(from, to, cosines)
    else vectors.cosinesOf(selected, cosines)
  }
}

/** Returns the number of chunks in the ranges that have comparable vectors. */
export const countVectors = (ranges: readonly ScanRange[]): number =>
  ranges.reduce((total, { vectors, from, to }) => total + (vectors === null ? 0 : to - from), 0)
