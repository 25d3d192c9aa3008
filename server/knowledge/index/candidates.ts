import { maxDistance, type BinaryVectors } from './binary-vectors.ts'
import type { ScanRange } from './chunk-ranges.ts'
import type { MatchParts } from './scoring.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'

/** Returns a cosine rescaled so that unrelated texts score 0 and equal ones 1. */
export const vectorScore = (cosine: number, unrelatedCosine: number): number =>
  Math.min(Math.max((cosine - unrelatedCosine) / (1 - unrelatedCosine), 0), 1)

/** Steps of the quantized match score. */
const steps = maxDistance - 1

/**
 * Approximates the match score of every chunk from its binary-quantized vector and its BM25 score. The expected cosine of
 * two vectors whose signs differ in a share d of the dimensions is cos(π d) (Charikar, Similarity Estimation Techniques
 * from Rounding Algorithms, 2002).
 * @param all the ranges that later selections are parts of
 * @returns a function that narrows ranges to at least `minCount` candidates, best first by approximate score; ranges
 * without vectors stay whole
 */
export function candidateSelector(
  all: readonly ScanRange[],
  { queryVector, parts, scratch }: { queryVector: Float32Array; parts: (competence: number) => MatchParts; scratch: ScratchBuffers },
): (ranges: readonly ScanRange[], minCount: number) => ScanRange[] {
  const distancesOf = new Map<number, ArrayLike<number>>()
  for (const [binary, ranges] of groupByVectors(all)) {
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
      binary.measure(queryVector, [range], distances)
      if (lexical.weight > 0)
        binary.subtractLexical(from, to, base.bm25.subarray(from, to), { max: steps * lexical.weight, half: lexical.half })
    }
  }

  return (ranges, minCount) => {
    const histograms = Array.from(groupByVectors(ranges), ([binary, some]) => binary.countDistances(some))
    let limit = -1
    for (let found = 0; limit < steps && found < minCount;) {
      limit += 1
      for (const histogram of histograms) found += histogram[limit] ?? 0
    }
    return ranges.map((range) =>
      range.vectors === null ? range : { ...range, selected: range.vectors.binary.select(range.from, range.to, limit, scratch) },
    )
  }
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
