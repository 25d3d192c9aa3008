import { firstNotLess } from './first-not-less.ts'
import type { Run } from './runs.ts'

const steps = 4096
const stepOf = (match: number): number => Math.floor(match * (steps - 1))

/** A match is the sum of both. */
export interface MatchParts {
  readonly ofCosine: (cosine: number) => number
  readonly ofBm25: (bm25: number) => number
}

/** Chunks that have a word of the query, by their places among those of all bases, ascending. */
interface WithWords {
  readonly places: Int32Array
  readonly differing: Uint16Array
  readonly guesses: Uint16Array
}

/**
 * Tells which chunks of runs are likeliest to match, of runs that are parts of these. Their cosines are guessed: of vectors at
 * an angle about that share of the signs differs.
 * @param bm25 of each chunk, by its place
 * @returns of each run the chunks that are among the likeliest `atLeast` of all of them, in no order
 */
export function likelyChunks(
  all: readonly Run[],
  { queryVector, bm25, parts }: { queryVector: Float32Array; bm25: Float64Array; parts: MatchParts },
): (runs: readonly Run[], atLeast: number) => number[][] {
  for (const { vectors, from, to } of all) {
    vectors?.ask(queryVector)
    vectors?.compareSigns(from, to)
  }
  const { length } = queryVector
  const bySigns = Float64Array.from({ length: length + 1 }, (_, differing) => parts.ofCosine(Math.cos((Math.PI * differing) / length)))
  // Most chunks have no word of the query: of them nothing but the signs counts.
  const wordless = Uint16Array.from(bySigns, stepOf)
  const worded = withWords(all, bm25, bySigns, parts.ofBm25)

  return (runs, atLeast) => {
    const counts = new Int32Array(steps)
    for (const run of runs) {
      run.vectors?.countDifferences(run.from, run.to).forEach((having, differing) => count(counts, wordless[differing], having))
      const [first, last] = within(worded, run)
      for (let at = first; at < last; at++) {
        count(counts, wordless[worded.differing[at] ?? 0], -1)
        count(counts, worded.guesses[at], 1)
      }
    }
    let least = steps
    for (let found = 0; least > 0 && found < atLeast;) found += counts[--least] ?? 0
    const mostDiffering = wordless.findLastIndex((guess) => guess >= least)
    return runs.map((run) => {
      const chunks = run.vectors?.pick(run.from, run.to, mostDiffering) ?? []
      const [first, last] = within(worded, run)
      for (let at = first; at < last; at++) {
        if ((worded.differing[at] ?? 0) > mostDiffering && (worded.guesses[at] ?? 0) >= least)
          chunks.push((worded.places[at] ?? 0) - run.offset)
      }
      return chunks
    })
  }
}

function count(counts: Int32Array, guess: number | undefined, more: number): void {
  counts[guess ?? 0] = (counts[guess ?? 0] ?? 0) + more
}

const rooms = (size: number): WithWords => ({
  places: new Int32Array(size),
  differing: new Uint16Array(size),
  guesses: new Uint16Array(size),
})
/** Used again by the next search. */
let room = rooms(0)

function withWords(all: readonly Run[], bm25: Float64Array, bySigns: Float64Array, ofBm25: MatchParts['ofBm25']): WithWords {
  if (room.places.length < bm25.length) room = rooms(bm25.length)
  const { places, differing, guesses } = room
  let found = 0
  for (const { vectors, from, to, offset } of all) {
    vectors?.differences(from, to, (differences, first) => {
      for (let each = 0, at = offset + first; each < differences.length; each++, at++) {
        const ofWords = bm25[at] ?? 0
        if (ofWords === 0) continue
        const differs = differences[each] ?? 0
        places[found] = at
        differing[found] = differs
        guesses[found] = stepOf((bySigns[differs] ?? 0) + ofBm25(ofWords))
        found += 1
      }
    })
  }
  return { places: places.subarray(0, found), differing: differing.subarray(0, found), guesses: guesses.subarray(0, found) }
}

/** Where those of a run begin and end. */
function within({ places }: WithWords, { from, to, offset, vectors }: Run): [first: number, last: number] {
  return vectors === null ? [0, 0] : [firstNotLess(places, offset + from), firstNotLess(places, offset + to)]
}
