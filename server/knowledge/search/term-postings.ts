import type { QueryTerm } from './analyze.ts'
import type { BaseIndex, Postings } from './base-index.ts'

const merged = new WeakMap<QueryTerm, WeakMap<BaseIndex, Postings>>()

/** Where a term of a query stands; of one that is any of several, each chunk once, as often as it has all of them together. */
export function termPostings(index: BaseIndex, term: QueryTerm): Postings {
  if (term.anyOf === undefined) return index.postingsOf(term)
  const known = merged.get(term) ?? new WeakMap<BaseIndex, Postings>()
  merged.set(term, known)
  const postings = known.get(index) ?? union(term.anyOf.map((each) => index.postingsOf(each)))
  known.set(index, postings)
  return postings
}

function union(lists: readonly Postings[]): Postings {
  const frequencies = new Map<number, number>()
  for (const { chunks, frequencies: each } of lists) {
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      frequencies.set(chunk, (frequencies.get(chunk) ?? 0) + (each[at] ?? 0))
    }
  }
  const chunks = Int32Array.from(frequencies.keys()).toSorted()
  return { chunks, frequencies: Uint16Array.from(chunks, (chunk) => Math.min(frequencies.get(chunk) ?? 0, 0xffff)) }
}
