import type { QueryTerm } from './analyze.ts'
import type { BaseIndex } from './base-index.ts'
import type { Postings } from './postings.ts'

/** Where a term of a query stands; of one that is any of several, each chunk once, as often as it has all of them together. */
export function termPostings(index: BaseIndex, term: QueryTerm): Postings {
  if (term.anyOf === undefined) return index.postingsOf(term)
  return union(
    index,
    term.anyOf.map((each) => index.postingsOf(each)),
  )
}

function union(index: BaseIndex, all: readonly Postings[]): Postings {
  if (room.length < index.size) room = new Uint16Array(index.size)
  const together = room.fill(0, 0, index.size)
  let size = 0
  for (const { chunks, frequencies: each, from, to } of all.flatMap(({ stretches }) => stretches)) {
    for (let at = from; at < to; at++) {
      const chunk = chunks[at] ?? 0
      const former = together[chunk] ?? 0
      if (former === 0) size += 1
      together[chunk] = Math.min(former + (each[at] ?? 0), 0xffff)
    }
  }
  const [chunks, frequencies] = [new Int32Array(size), new Uint16Array(size)]
  for (let chunk = 0, at = 0; at < size; chunk++) {
    const frequency = together[chunk] ?? 0
    if (frequency === 0) continue
    chunks[at] = chunk
    frequencies[at] = frequency
    at += 1
  }
  const stretches = [{ chunks, frequencies, from: 0, to: size }]
  return { stretches, count: index.countLive(stretches) }
}

/** Used again by the next search. */
let room = new Uint16Array(0)
