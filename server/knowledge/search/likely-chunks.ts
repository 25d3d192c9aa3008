import type { Run } from './runs.ts'

const steps = 4096
const stepOf = (match: number): number => Math.floor(match * (steps - 1))
const noChunk = -1

/** How well the chunk at a place matches, at a cosine. */
export type MatchOf = (at: number, cosine: number) => number

/**
 * Matches of the chunks, from 0 to 4095, by their places, where the cosine is guessed: of vectors at an angle about that share
 * of the signs differs.
 */
export function guessMatches(
  into: Uint16Array,
  { runs, queryVector, bm25, matchOf }: { runs: readonly Run[]; queryVector: Float32Array; bm25: Float64Array; matchOf: MatchOf },
): void {
  for (const { vectors, from, to, offset } of runs) {
    if (vectors === null) continue
    vectors.ask(queryVector)
    const cosines = Array.from({ length: vectors.dimensions + 1 }, (_, differing) => Math.cos((Math.PI * differing) / vectors.dimensions))
    // Most chunks have no word of the query.
    const wordless = Uint16Array.from(cosines, (cosine) => stepOf(matchOf(noChunk, cosine)))
    vectors.differences(from, to, (differences, first) => {
      for (let each = 0, at = offset + first; each < differences.length; each++, at++) {
        const differing = differences[each] ?? 0
        into[at] = bm25[at] === 0 ? (wordless[differing] ?? 0) : stepOf(matchOf(at, cosines[differing] ?? 0))
      }
    })
  }
}

/** Of each run the chunks that are among the likeliest `atLeast` of all runs. */
export function likelyChunks(runs: readonly Run[], guesses: Uint16Array, atLeast: number): number[][] {
  const counts = new Uint32Array(steps)
  const compared = runs.filter(({ vectors }) => vectors !== null)
  for (const { from, to, offset } of compared)
    for (let at = offset + from; at < offset + to; at++) counts[guesses[at] ?? 0] = (counts[guesses[at] ?? 0] ?? 0) + 1
  let least = steps
  for (let count = 0; least > 0 && count < atLeast;) count += counts[--least] ?? 0
  return runs.map(({ vectors, from, to, offset }) => {
    const chunks: number[] = []
    if (vectors !== null) for (let chunk = from; chunk < to; chunk++) if ((guesses[offset + chunk] ?? 0) >= least) chunks.push(chunk)
    return chunks
  })
}
