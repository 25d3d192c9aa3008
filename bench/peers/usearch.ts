import type { OpenLibrary } from './library-search.ts'
import type { Library } from './library.ts'
import { dimensions, placesByBase, vectorOf } from './passages.ts'
import { topK } from './peer.ts'

/** USearch has no filters, so it is asked for more results and the non-matching ones are dropped. */
export function usearch(bases: number): Library {
  const how = `${bases === 1 ? 'one index' : 'one index per base'}, filtered afterwards`
  const efforts = { of: 'requested neighbours', values: [topK, 20, 40, 80, 160, 320] }
  return { name: 'USearch', package: 'usearch', version: '2.26.2', layouts: [{ layout: 'each', how, efforts }] }
}

interface Index {
  add(keys: bigint, vector: Float32Array): void
  search(vector: Float32Array, count: number, threads: number): { keys: BigUint64Array }
}

interface Usearch {
  readonly Index: new (dimensions: number, metric: 'cos') => Index
}

export const openUsearch: OpenLibrary = async (modules, passages) => {
  const { Index } = modules('usearch') as Usearch
  const indexes = placesByBase(passages).map((places) => {
    const index = new Index(dimensions, 'cos')
    for (const place of places) index.add(BigInt(place), vectorOf(passages, place))
    return index
  })
  return ({ vector, base, parts, effort }) => {
    const found = indexes[base]?.search(vector, effort, 1).keys ?? []
    const places: number[] = []
    for (const key of found) {
      if (places.length < topK && parts.includes(passages.parts[Number(key)] ?? -1)) places.push(Number(key))
    }
    return places
  }
}
