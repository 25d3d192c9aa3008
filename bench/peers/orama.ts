import type { OpenLibrary } from './library-search.ts'
import type { Library } from './library.ts'
import { dimensions, placesByBase, vectorOf } from './passages.ts'
import { topK } from './peer.ts'

/** In percent. 80 is Orama's default similarity of 0.8, which shorter texts rarely reach. */
const efforts = { of: 'similarity in percent', values: [80, 50, 25, 0] }

export function orama(bases: number): Library {
  const each = { layout: 'each', how: bases === 1 ? 'one database' : 'one database per base', efforts }
  const together = { layout: 'together', how: 'one database with both fields', efforts }
  return { name: 'Orama', package: '@orama/orama', version: '3.1.18', layouts: bases === 1 ? [each] : [each, together] }
}

interface Orama {
  create(options: { schema: Record<string, string> }): unknown
  insertMultiple(db: unknown, documents: unknown[], batchSize: number): Promise<unknown>
  search(db: unknown, query: object): Promise<{ hits: { id: string }[] }>
}

export const openOrama: OpenLibrary = async (modules, passages, { layout }) => {
  const library = modules('@orama/orama') as Orama
  const each = layout === 'each'
  const groups = each ? placesByBase(passages) : [passages.ids.map((_, place) => place)]
  const databases: unknown[] = []
  for (const places of groups) {
    const db = library.create({ schema: { base: 'enum', part: 'enum', embedding: `vector[${dimensions}]` } })
    const documents = places.map((place) => ({
      id: String(place),
      base: passages.bases[place],
      part: passages.parts[place],
      embedding: [...vectorOf(passages, place)],
    }))
    await library.insertMultiple(db, documents, 1_000)
    databases.push(db)
  }
  return async ({ vector, base, parts, effort }) => {
    const ofParts = { part: { in: parts } }
    const { hits } = await library.search(databases[each ? base : 0], {
      mode: 'vector',
      vector: { value: [...vector], property: 'embedding' },
      similarity: effort / 100,
      limit: topK,
      where: each ? ofParts : { base: { eq: base }, ...ofParts },
    })
    return hits.map(({ id }) => Number(id))
  }
}
