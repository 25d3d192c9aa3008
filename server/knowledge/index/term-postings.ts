import type { QueryTerm } from './analyze.ts'
import type { BaseIndex, Term } from './base-index.ts'
import type { Postings } from './postings.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'

/** Returns the postings of a query term. For a term with alternatives, each chunk occurs once, with the sum of their frequencies. */
export function termPostings(index: BaseIndex, term: QueryTerm, scratch: ScratchBuffers): Postings {
  if (term.anyOf === undefined) return index.postingsOf(term, scratch.entries)
  return union(index, term.anyOf, scratch)
}

function union(index: BaseIndex, terms: readonly Term[], scratch: ScratchBuffers): Postings {
  const sums = scratch.frequencies(index.size)
  const all = terms.map((each) => index.postingsOf(each, scratch.entries))
  let size = 0
  for (const { chunks, frequencies: each, from, to } of all.flatMap(({ ranges }) => ranges)) {
    for (let at = from; at < to; at++) {
      const chunk = chunks[at] ?? 0
      const former = sums[chunk] ?? 0
      if (former === 0) size += 1
      sums[chunk] = Math.min(former + (each[at] ?? 0), 0xffff)
    }
  }
  const [chunks, frequencies] = [new Int32Array(size), new Uint16Array(size)]
  for (let chunk = 0, at = 0; at < size; chunk++) {
    const frequency = sums[chunk] ?? 0
    if (frequency === 0) continue
    chunks[at] = chunk
    frequencies[at] = frequency
    at += 1
  }
  const ranges = [{ chunks, frequencies, from: 0, to: size }]
  return { ranges, count: index.frequencyOfAny(terms, ranges) }
}
