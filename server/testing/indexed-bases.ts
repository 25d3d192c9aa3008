import { expect } from 'vitest'
import type { KnowledgeContext } from '../knowledge/context.ts'
import { readSearchScope, type SourceSelection } from '../knowledge/index/search-scope.ts'
import { writeChunks } from '../knowledge/index/write.ts'
import { searchChunks, type ChunkQuery, type Hit } from '../knowledge/search/search-chunks.ts'
import { newId } from '../lib/ids.ts'
import type { TestApp } from './app.ts'

const dimensions = 8

export interface Text {
  text: string
  vector?: Float32Array
  headingPath?: string[]
}

export type TestQuery = Partial<ChunkQuery> & {
  /** Of unit length; null for a lexical search. */
  queryVector?: Float32Array | null
  unrelatedCosine?: number
}

/** Returns a function that creates an organization with one knowledge base, and what fills and searches it without ingestion. */
export function indexedBases({ database, platform }: Pick<TestApp, 'database' | 'platform'>) {
  return async function newBase(organizationId = newId()) {
    const baseId = newId()
    await database.pool.query('insert into organization (id, name, created_at) values ($1, $2, now()) on conflict do nothing', [
      organizationId,
      `Test ${organizationId}`,
    ])
    await database.pool.query(
      `insert into base (organization_id, id, name, rag_settings, created_at, updated_at) values ($1, $2, 'Test', '{}', now(), now())`,
      [organizationId, baseId],
    )
    const ctx: KnowledgeContext = { ...platform, organizationId, embedder: { ...platform.embedder, model: 'the model' } }
    const within = <T>(fn: Parameters<typeof database.transaction<T>>[1]) => database.transaction(organizationId, fn)

    async function write(
      sourceId: string,
      generation: number,
      texts: Text[],
      { title = null, language = 'en' }: { title?: string | null; language?: string } = {},
    ) {
      const rows = texts.map(({ text, vector = direction(0), headingPath = [] }, ordinal) => ({
        id: newId(),
        vector,
        chunk: {
          ordinal,
          text,
          start: ordinal * 10,
          end: ordinal * 10 + text.length,
          headingPath,
          page: 3,
          pageEnd: null,
          startSecond: null,
          tokens: 1,
        },
      }))
      const target = { organizationId, baseId, sourceId, generation }
      for (let from = 0; from < rows.length; from += 7) {
        await within((trx) => writeChunks(trx, target, rows.slice(from, from + 7), { title, language }))
      }
    }
    async function newSource(): Promise<{ sourceId: string; generation: number }> {
      const sourceId = newId()
      const { rows } = await database.pool.query<{ generation: number }>(
        `insert into source (organization_id, id, base_id, name, type, url, status, stage, embedding_model, created_at, updated_at)
         values ($1, $2, $3, 'A source', 'url', 'https://example.com/', 'processing', 'queued', 'the model', now(), now()) returning generation`,
        [organizationId, sourceId, baseId],
      )
      return { sourceId, generation: rows[0]?.generation ?? 0 }
    }
    const serve = (sourceId: string, generation: number | null) =>
      database.pool.query('update source set live_generation = $2 where id = $1', [sourceId, generation])
    async function add(texts: Text[], options: Parameters<typeof write>[3] = {}) {
      const source = await newSource()
      await write(source.sourceId, source.generation, texts, options)
      await serve(source.sourceId, source.generation)
      return source
    }
    const search = async (
      { sourceIds, queryVector = null, unrelatedCosine = 0, ...query }: TestQuery & SourceSelection,
      indexes = ctx.indexes,
    ): Promise<Hit[]> => {
      const { baseIds = [baseId] } = query
      const embedded = [{ embedder: { ...ctx.embedder, unrelatedCosine }, vector: queryVector, competence: 1, failed: false }]
      const scope = await readSearchScope(ctx, baseIds, { sourceIds, reindexId: query.reindexId })
      const defaults = { baseIds, scope, embedded, queryText: '', topK: 10, hybridSearch: true }
      const { hits, complete } = await searchChunks({ ...ctx, indexes }, { ...defaults, ...query })
      expect(complete).toBe(true)
      return hits
    }
    return { ctx, organizationId, baseId, within, write, newSource, serve, add, search }
  }
}

/** Returns a unit vector at an angle; queries are at 0. */
export const direction = (angle: number): Float32Array =>
  Float32Array.from([Math.cos(angle), Math.sin(angle), ...Array<number>(dimensions - 2).fill(0)])

/** Numbers that look random and are the same in every run. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const vocabulary = Array.from({ length: 60 }, (_, index) => `term${index}`)

/** Returns a function that returns texts of up to 30 words, some of which are frequent. */
export const randomTexts = (next: () => number) => (): string =>
  Array.from({ length: 1 + Math.floor(next() * 30) }, () => vocabulary[Math.floor(next() ** 3 * vocabulary.length)]).join(' ')
