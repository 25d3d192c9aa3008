import { join } from 'node:path'
import type { OpenLibrary } from './library-search.ts'
import type { Library } from './library.ts'
import { dimensions, placesByBase, vectorOf, type Passages } from './passages.ts'
import { noEfforts, topK } from './peer.ts'

export function lancedb(bases: number): Library {
  const together = bases === 1 ? '' : ', one table with both fields'
  return {
    name: 'LanceDB',
    package: '@lancedb/lancedb',
    version: '0.30.0',
    layouts: [
      { layout: 'scan', how: `no vector index${together}, bitmap indexes`, efforts: noEfforts },
      ...(bases === 1 ? [] : [{ layout: 'scan-each', how: 'no vector index, one table per base', efforts: noEfforts }]),
      {
        layout: 'hnsw',
        how: `HNSW-SQ${together}, bitmap indexes`,
        efforts: { of: 'refine factor 2, ef', values: [0, 100, 200, 400, 800] },
      },
    ],
  }
}

interface Query {
  distanceType(type: 'cosine'): this
  where(predicate: string): this
  select(columns: string[]): this
  limit(rows: number): this
  ef(ef: number): this
  refineFactor(factor: number): this
  toArray(): Promise<{ place: number }[]>
}

interface Table {
  createIndex(column: string, options: { config: unknown }): Promise<void>
  add(rows: unknown[]): Promise<unknown>
  query(): { nearestTo(vector: Float32Array): Query }
}

interface Lancedb {
  connect(folder: string): Promise<{ createTable(name: string, rows: unknown[], options: { schema: unknown }): Promise<Table> }>
  readonly Index: { bitmap(): unknown; hnswSq(options: { distanceType: 'cosine' }): unknown }
}

type Types = Record<'Schema' | 'Field' | 'FixedSizeList' | 'Int32' | 'Float32', new (...given: unknown[]) => unknown>

export const openLancedb: OpenLibrary = async (modules, passages, { layout, folder }) => {
  const lance = modules('@lancedb/lancedb') as Lancedb
  const schema = schemaOf(modules('apache-arrow') as Types)
  const db = await lance.connect(join(folder, 'lancedb'))
  const each = layout === 'scan-each'
  const groups = each ? placesByBase(passages) : [passages.ids.map((_, place) => place)]
  const tables: Table[] = []
  for (const [number, places] of groups.entries()) {
    const table = await db.createTable(`passages-${number}`, rowsOf(passages, places), { schema })
    if (!each) await table.createIndex('part', { config: lance.Index.bitmap() })
    if (!each) await table.createIndex('base', { config: lance.Index.bitmap() })
    if (layout === 'hnsw') await table.createIndex('vector', { config: lance.Index.hnswSq({ distanceType: 'cosine' }) })
    tables.push(table)
  }
  return async ({ vector, base, parts, effort }) => {
    const table = tables[each ? base : 0]
    if (table === undefined) throw new Error(`no table for base ${base}`)
    const ofParts = `part in (${parts.join()})`
    const query = table.query().nearestTo(vector).distanceType('cosine').limit(topK).select(['place', '_distance'])
    const filtered = query.where(each ? ofParts : `base = ${base} and ${ofParts}`)
    const rows = await (effort === 0 ? filtered : filtered.ef(effort).refineFactor(2)).toArray()
    return rows.map(({ place }) => place)
  }
}

function schemaOf({ Schema, Field, FixedSizeList, Int32, Float32 }: Types): unknown {
  const numbers = ['place', 'base', 'part'].map((name) => new Field(name, new Int32()))
  return new Schema([...numbers, new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float32())))])
}

function rowsOf(passages: Passages, places: readonly number[]): unknown[] {
  return places.map((place) => ({
    place,
    base: passages.bases[place],
    part: passages.parts[place],
    vector: [...vectorOf(passages, place)],
  }))
}
