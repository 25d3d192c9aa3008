import { newEntries, type EntryAllocator } from './postings.ts'

/** Number of top matches used for pseudo-relevance feedback. */
export const feedbackCount = 2

/** Scores of all chunks of the searched knowledge bases, by chunk number. */
export interface ScoreBuffers {
  readonly bm25: Float32Array
  /** With the query. */
  readonly cosines: Float32Array
  /** BM25 and cosine combined. */
  readonly matches: Float64Array
  /** Cosines with each feedback document. */
  readonly feedback: readonly Float32Array[]
}

/** Memory that searches reuse for postings, in entries of 6 bytes. */
const maxReusedEntries = 2 ** 20

/**
 * Arrays that consecutive searches reuse, so that a search among a million chunks allocates little. A search must be done
 * with them before it awaits anything.
 */
export class ScratchBuffers {
  #scores = scoreBuffers(0)
  #consecutive = new Uint32Array(0)
  #numbers = new Uint32Array(0)
  #frequencies = new Uint16Array(0)
  #entries = newEntries(0)
  #usedEntries = 0

  /** Returns score arrays of at least `size`, with the values of the last search. */
  scores(size: number): ScoreBuffers {
    if (this.#scores.bm25.length < size) this.#scores = scoreBuffers(Math.ceil(size * 1.25))
    return this.#scores
  }

  /** Returns the numbers `from` to `to` (exclusive), ascending. */
  consecutive(from: number, to: number): Uint32Array {
    if (this.#consecutive.length < to) this.#consecutive = Uint32Array.from({ length: Math.ceil(to * 1.25) }, (_, number) => number)
    return this.#consecutive.subarray(from, to)
  }

  /** Returns an array of at least `size`, with any content. */
  numbers(size: number): Uint32Array {
    if (this.#numbers.length < size) this.#numbers = new Uint32Array(Math.ceil(size * 1.25))
    return this.#numbers
  }

  /** Lets `entries` use its arrays again. */
  releaseEntries(): void {
    this.#usedEntries = 0
  }

  /** Returns arrays for so many postings, with any content, until the next `releaseEntries`. */
  readonly entries: EntryAllocator = (count) => {
    if (count > maxReusedEntries) return newEntries(count)
    if (this.#usedEntries + count > this.#entries.chunks.length) {
      this.#entries = newEntries(Math.min(Math.max(2 * this.#entries.chunks.length, count), maxReusedEntries))
      this.#usedEntries = 0
    }
    const from = this.#usedEntries
    this.#usedEntries += count
    const { chunks, frequencies } = this.#entries
    return { chunks: chunks.subarray(from, from + count), frequencies: frequencies.subarray(from, from + count) }
  }

  /** Returns `size` zeros. */
  frequencies(size: number): Uint16Array {
    if (this.#frequencies.length < size) this.#frequencies = new Uint16Array(Math.ceil(size * 1.25))
    return this.#frequencies.fill(0, 0, size)
  }
}

function scoreBuffers(size: number): ScoreBuffers {
  return {
    bm25: new Float32Array(size),
    cosines: new Float32Array(size),
    matches: new Float64Array(size),
    feedback: Array.from({ length: feedbackCount }, () => new Float32Array(size)),
  }
}
