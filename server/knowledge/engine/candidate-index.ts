import { BaseIndex, type Term } from '../index/base-index.ts'
import type { Postings } from '../index/postings.ts'

/** Counts over all chunks of a part of a knowledge base. */
export interface Collection {
  readonly languages: readonly string[]
  readonly chunks: number
  readonly terms: number
}

/**
 * An index of the candidates that a search engine has found, with the statistics of all chunks. Ranking it gives the scores that
 * the index of all chunks would give.
 */
export class CandidateIndex extends BaseIndex {
  readonly #collection: Collection
  readonly #frequencies: ReadonlyMap<string, number>

  /** @param frequencies document frequencies by `frequencyKey` */
  constructor(collection: Collection, frequencies: ReadonlyMap<string, number>) {
    super()
    this.#collection = collection
    this.#frequencies = frequencies
    this.languages = collection.languages
  }

  override get chunks(): number {
    return this.#collection.chunks
  }

  override get terms(): number {
    return this.#collection.terms
  }

  override postingsOf(term: Term): Postings {
    return { ...super.postingsOf(term), count: this.#frequencies.get(frequencyKey([term])) ?? 0 }
  }

  override frequencyOfAny(terms: readonly Term[]): number {
    return this.#frequencies.get(frequencyKey(terms)) ?? 0
  }
}

/** Names the chunks that contain any of the terms. */
export const frequencyKey = (terms: readonly Term[]): string => terms.map(({ language, term }) => `${language} ${term}`).join('\n')
