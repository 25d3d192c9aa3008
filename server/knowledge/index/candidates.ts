import { maxDistance, type BinaryVectors } from './binary-vectors.ts'
import { countVectors, type ScanRange } from './chunk-ranges.ts'
import { lexicalScore, type MatchParts } from './scoring.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'

/** Returns a cosine rescaled so that unrelated texts score 0 and equal ones 1. */
export const vectorScore = (cosine: number, unrelatedCosine: number): number =>
  Math.min(Math.max((cosine - unrelatedCosine) / (1 - unrelatedCosine), 0), 1)

/** Steps of the quantized match score. */
const steps = maxDistance - 1

/**
 * Number of candidates whose vectors are compared. Feedback documents change the order of hybrid matches: under a filter that leaves 100,000
 * chunks, the ten best of some searches are not among 1,000 candidates.
 */
const candidateCount = (chunks: number): number => Math.min(Math.max(1_000, 4 * Math.sqrt(chunks)), 1_300)
/**
 * Number of chunks that are selected by Hamming distance. The ten nearest of 10,000 chunks of the evaluation sets are among the first 500,
 * 700 and 1,000 with a recall of .9996, .9998 and .9998; of a million, among 2,000, 3,000 and 4,000 with .976, .982 and .984.
 */
const selectionSize = (chunks: number): number => Math.max(1_000, 8 * Math.sqrt(chunks))
/** One in so many distances is counted for a large selection, which then has at least `candidateCount` chunks. */
const sampleStride = 4
/** In shorter ranges, the first chunks of all ranges would be a large part of the sample. */
const minSampledRange = 1_000

/**
 * Approximates the match score of every chunk from its binary-quantized vector and its BM25 score. The expected cosine of
 * two vectors whose signs differ in a share d of the dimensions is cos(π d) (Charikar, Similarity Estimation Techniques
 * from Rounding Algorithms, 2002). Of the chunks that are best by it, those are left whose match score is best by `estimateCosines`.
 * @param all the ranges that later selections are parts of
 * @returns a function that narrows ranges to at least `candidateCount` candidates; ranges without vectors stay whole
 */
export function candidateSelector(
  all: readonly ScanRange[],
  { queryVector, parts, scratch }: { queryVector: Float32Array; parts: (competence: number) => MatchParts; scratch: ScratchBuffers },
): (ranges: readonly ScanRange[]) => ScanRange[] {
  const distancesOf = new Map<number, ArrayLike<number>>()
  for (const [binary, ranges] of groupByVectors(all)) {
    binary.setQuery(queryVector)
    // In ascending order: measuring a range overwrites the distances of some vectors after it.
    for (const range of ranges) {
      const { base, competence, from, to } = range
      const { vector, lexical } = parts(competence)
      const distances =
        distancesOf.get(competence) ??
        expectedCosines(queryVector.length).map((cosine) =>
          Math.ceil(steps * (1 - vector.weight * vectorScore(cosine, vector.unrelatedCosine))),
        )
      distancesOf.set(competence, distances)
      binary.measure([range], distances)
      if (lexical.weight > 0)
        binary.subtractLexical(from, to, base.bm25.subarray(from, to), { max: steps * lexical.weight, half: lexical.half })
    }
  }

  /** Narrows ranges to about `size` chunks by Hamming distance. */
  function nearest(ranges: readonly ScanRange[], size: number): ScanRange[] {
    const chunks = countVectors(ranges)
    const isSampled = size >= sampleStride * candidateCount(chunks) && chunks >= minSampledRange * ranges.length
    const stride = isSampled ? sampleStride : 1
    const histograms = Array.from(groupByVectors(ranges), ([binary, some]) => binary.countDistances(some, stride))
    const limit = limitOf(histograms, size / stride)
    return ranges.map((range) =>
      range.vectors === null ? range : { ...range, selected: range.vectors.binary.select(range.from, range.to, limit, scratch) },
    )
  }

  /** Returns the distance of each selected chunk, from the estimate of its cosine. */
  function estimatedDistances({ base, competence }: ScanRange, binary: BinaryVectors, selected: Uint32Array): Uint16Array {
    const { vector, lexical } = parts(competence)
    const cosines = binary.estimateCosines(selected)
    const distances = new Uint16Array(selected.length)
    for (let at = 0; at < selected.length; at++) {
      const bm25 = base.bm25[selected[at] ?? 0] ?? 0
      const match =
        vector.weight * vectorScore(cosines[at] ?? 0, vector.unrelatedCosine) + lexical.weight * lexicalScore(bm25, lexical.half)
      distances[at] = Math.ceil(steps * (1 - match))
    }
    return distances
  }

  return (ranges) => {
    const chunks = countVectors(ranges)
    const [size, count] = [selectionSize(chunks), candidateCount(chunks)]
    const selection = nearest(ranges, size)
    if (size <= count) return selection
    const counts = new Uint32Array(maxDistance)
    const estimated = selection.map((range) => {
      const { vectors, selected } = range
      if (vectors === null || selected === null) return { range, selected: null, distances: null }
      const distances = estimatedDistances(range, vectors.binary, selected)
      for (let at = 0; at < distances.length; at++) counts[distances[at] ?? 0] = (counts[distances[at] ?? 0] ?? 0) + 1
      return { range, selected, distances }
    })
    const limit = limitOf([counts], count)
    return estimated.map(({ range, selected, distances }) =>
      selected === null ? range : { ...range, selected: nearestOf(selected, distances, limit) },
    )
  }
}

/** Returns the chunks whose distance is at most `limit`. */
function nearestOf(selected: Uint32Array, distances: Uint16Array, limit: number): Uint32Array {
  const nearest = new Uint32Array(selected.length)
  let end = 0
  for (let at = 0; at < selected.length; at++) if ((distances[at] ?? 0) <= limit) nearest[end++] = selected[at] ?? 0
  return nearest.slice(0, end)
}

/** Returns the lowest distance up to which there are `minCount` chunks. */
function limitOf(histograms: readonly Uint32Array[], minCount: number): number {
  let limit = -1
  for (let found = 0; limit < steps && found < minCount;) {
    limit += 1
    for (const histogram of histograms) found += histogram[limit] ?? 0
  }
  return limit
}

const knownCosines = new Map<number, Float64Array>()

/** Returns the expected cosine for each Hamming distance, 0 to `dimensions`. */
function expectedCosines(dimensions: number): Float64Array {
  const known = knownCosines.get(dimensions)
  if (known !== undefined) return known
  const cosines = Float64Array.from({ length: dimensions + 1 }, (_, distance) => Math.cos((Math.PI * distance) / dimensions))
  knownCosines.set(dimensions, cosines)
  return cosines
}

/** Groups the ranges that have vectors by their binary-quantized vectors, which each knowledge base has of its own. */
function groupByVectors(ranges: readonly ScanRange[]): Map<BinaryVectors, ScanRange[]> {
  const grouped = new Map<BinaryVectors, ScanRange[]>()
  for (const range of ranges) {
    if (range.vectors === null) continue
    const { binary } = range.vectors
    const known = grouped.get(binary)
    if (known === undefined) grouped.set(binary, [range])
    else known.push(range)
  }
  return grouped
}
