import { farthest, type PackedSigns } from './packed-signs.ts'
import type { Run } from './runs.ts'

/** A match is the sum of both. */
export interface MatchParts {
  readonly ofCosine: (cosine: number) => number
  /** `share` × bm25 / (bm25 + `half`). */
  readonly ofBm25: { readonly share: number; readonly half: number }
}

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
  const { length } = queryVector
  const byDiffering = Uint16Array.from({ length: length + 1 }, (_, differing) =>
    Math.ceil(steps * (1 - parts.ofCosine(Math.cos((Math.PI * differing) / length)))),
  )
  const { share, half } = parts.ofBm25
  for (const [signs, runs] of bySigns(all)) {
    signs.measure(queryVector, runs, byDiffering)
    for (const { base, from, to } of share > 0 ? runs : [])
      signs.bringNearer(from, to, base.bm25.subarray(from, to), { most: steps * share, half })
  }

  return (runs, atLeast) => {
    const counts = new Uint32Array(farthest)
    for (const [signs, some] of bySigns(runs)) signs.countDistances(some).forEach((having, at) => (counts[at] = (counts[at] ?? 0) + having))
    let most = -1
    for (let found = 0; most < steps && found < atLeast;) found += counts[++most] ?? 0
    return runs.map((run) => (run.vectors === null ? run : { ...run, some: run.vectors.signs.pick(run.from, run.to, most) }))
  }
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
