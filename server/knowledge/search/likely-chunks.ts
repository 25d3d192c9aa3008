import { farthest, type PackedSigns } from './packed-signs.ts'
import type { Run } from './runs.ts'

/** A match is the sum of both. */
export interface MatchParts {
  /** `share` × `vectorScore`. */
  readonly ofCosine: { readonly share: number; readonly unrelated: number }
  /** `share` × bm25 / (bm25 + `half`). */
  readonly ofBm25: { readonly share: number; readonly half: number }
}

/** How far above that of unrelated texts a cosine is, 0 to 1. */
export const vectorScore = (cosine: number, unrelated: number): number => Math.min(Math.max((cosine - unrelated) / (1 - unrelated), 0), 1)

const steps = farthest - 1

/**
 * Tells which chunks of runs are likeliest to match, of runs that are parts of these. How far each is from a match of 1 is
 * guessed: of vectors at an angle about that share of the signs differs.
 * @returns narrows runs to the likeliest `atLeast` of all, or some more; what has no vectors is left whole
 */
export function likelyChunks(
  all: readonly Run[],
  { queryVector, parts }: { queryVector: Float32Array; parts: MatchParts },
): (runs: readonly Run[], atLeast: number) => Run[] {
  const { share: vectorShare, unrelated } = parts.ofCosine
  const byDiffering = cosinesByDiffering(queryVector.length).map((cosine) =>
    Math.ceil(steps * (1 - vectorShare * vectorScore(cosine, unrelated))),
  )
  const { share, half } = parts.ofBm25
  for (const [signs, runs] of bySigns(all)) {
    signs.measure(queryVector, runs, byDiffering)
    for (const { base, from, to } of share > 0 ? runs : [])
      signs.bringNearer(from, to, base.bm25.subarray(from, to), { most: steps * share, half })
  }

  return (runs, atLeast) => {
    const counts = Array.from(bySigns(runs), ([signs, some]) => signs.countDistances(some))
    let most = -1
    for (let found = 0; most < steps && found < atLeast;) {
      most += 1
      for (const having of counts) found += having[most] ?? 0
    }
    return runs.map((run) => (run.vectors === null ? run : { ...run, some: run.vectors.signs.pick(run.from, run.to, most) }))
  }
}

const knownCosines = new Map<number, Float64Array>()

/** Of each number of signs that differ between two vectors, 0 to `dimensions`, the cosine that is likeliest. */
function cosinesByDiffering(dimensions: number): Float64Array {
  const known = knownCosines.get(dimensions)
  if (known !== undefined) return known
  const cosines = Float64Array.from({ length: dimensions + 1 }, (_, differing) => Math.cos((Math.PI * differing) / dimensions))
  knownCosines.set(dimensions, cosines)
  return cosines
}

/** The runs of each base that are compared, with its signs. */
function bySigns(runs: readonly Run[]): Map<PackedSigns, Run[]> {
  const grouped = new Map<PackedSigns, Run[]>()
  for (const run of runs) {
    if (run.vectors === null) continue
    const { signs } = run.vectors
    const known = grouped.get(signs)
    if (known === undefined) grouped.set(signs, [run])
    else known.push(run)
  }
  return grouped
}
