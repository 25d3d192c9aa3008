import type { Term } from './base-index.ts'

/** The words of the chunks of one generation and language, as they are stored: one behind the other. */
export interface StoredWords {
  readonly generation: number
  readonly language: string
  readonly terms: readonly string[]
  /** Of each term, how many entries are its. */
  readonly counts: readonly number[]
  readonly ordinals: Int32Array
  readonly frequencies: Int32Array
}

/** Ordinals of chunks that have a term, and how often. */
interface Found {
  readonly ordinals: Int32Array
  readonly frequencies: Uint16Array
}

/** Where all words of a generation stand, in 6 bytes an entry and 12 a word: found by a hash of 53 bits. */
export class GenerationWords {
  readonly #hashes: Float64Array
  readonly #ends: Uint32Array
  readonly #ordinals: Int32Array
  readonly #frequencies: Uint16Array

  constructor(stored: readonly StoredWords[]) {
    const words = stored.flatMap(({ language, terms, counts, ordinals, frequencies }) => {
      let end = 0
      return terms.map((term, at) => {
        const from = end
        end += counts[at] ?? 0
        return { hash: hashOf(language, term), ordinals: ordinals.subarray(from, end), frequencies: frequencies.subarray(from, end) }
      })
    })
    // Batches come in no order, but a term's chunks must.
    words.sort((one, other) => one.hash - other.hash || (one.ordinals[0] ?? 0) - (other.ordinals[0] ?? 0))
    const entries = words.reduce((sum, { ordinals }) => sum + ordinals.length, 0)
    this.#hashes = Float64Array.from(words, ({ hash }) => hash)
    this.#ends = new Uint32Array(words.length)
    this.#ordinals = new Int32Array(entries)
    this.#frequencies = new Uint16Array(entries)
    let end = 0
    for (const [at, { ordinals, frequencies }] of words.entries()) {
      this.#ordinals.set(ordinals, end)
      this.#frequencies.set(frequencies, end)
      end += ordinals.length
      this.#ends[at] = end
    }
  }

  get bytes(): number {
    return this.#hashes.byteLength + this.#ends.byteLength + this.#ordinals.byteLength + this.#frequencies.byteLength
  }

  find({ language, term }: Term): Found {
    const hash = hashOf(language, term)
    let [low, high] = [0, this.#hashes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#hashes[middle] ?? 0) < hash) low = middle + 1
      else high = middle
    }
    let last = low
    while (this.#hashes[last] === hash) last++
    const [from, to] = [low === 0 ? 0 : (this.#ends[low - 1] ?? 0), last === low ? 0 : (this.#ends[last - 1] ?? 0)]
    return {
      ordinals: this.#ordinals.subarray(from, Math.max(from, to)),
      frequencies: this.#frequencies.subarray(from, Math.max(from, to)),
    }
  }
}

/** Two sums in the manner of Fowler, Noll and Vo, of different beginnings. */
function hashOf(language: string, term: string): number {
  let [one, other] = [0x811c9dc5, 0x9747b28c]
  for (const text of [language, ' ', term]) {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      one = Math.imul(one ^ unit, 0x01000193)
      other = Math.imul(other ^ unit, 0x5bd1e995)
      other ^= other >>> 13
    }
  }
  return (one >>> 11) * 2 ** 32 + (other >>> 0)
}
