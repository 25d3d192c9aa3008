import type { FindSources, ListSources, Source, SourceSort } from '@groundwork/api'
import { sql, type SelectQueryBuilder } from 'kysely'
import { select } from '../../context.ts'
import { isAfter, listOrder, pageInOrder, positionAfter } from '../../db/list-order.ts'
import { newestFirst } from '../../db/newest-first.ts'
import type { Schema, Transaction } from '../../db/schema.ts'
import { pageOf } from '../../lib/cursor.ts'
import { likePattern } from '../../lib/like.ts'
import type { KnowledgeContext } from '../context.ts'
import { noBase } from '../rows/bases.ts'
import { toSource } from '../rows/source-record.ts'

interface SourceList {
  data: Source[]
  nextCursor: string | null
}

/**
 * Returns sources in the requested order, newest first by default.
 * @throws AppError `not_found` for the knowledge base, `bad_request`, field `cursor`
 */
export async function listSources(ctx: KnowledgeContext, baseId: string, input: ListSources): Promise<SourceList> {
  const { sort } = input
  const [bases, list] = await Promise.all([
    select(ctx, (db) => db.selectFrom('base').select('id').where('id', '=', baseId)),
    sort === '-createdAt' ? newestSources(ctx, baseId, input) : sortedSources(ctx, baseId, { ...input, sort }),
  ])
  if (bases.length === 0) throw noBase()
  return list
}

/**
 * Returns sources of all knowledge bases, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function findSources(ctx: KnowledgeContext, input: FindSources): Promise<SourceList> {
  const found = await select(ctx, (db) => newestFirst(containing(db.selectFrom('source').selectAll(), input.q), 'source', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map((row) => toSource(row, ctx.embedder)), nextCursor }
}

async function newestSources(ctx: KnowledgeContext, baseId: string, input: ListSources): Promise<SourceList> {
  const found = await select(ctx, (db) => newestFirst(matchingSources(db, baseId, input), 'source', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map((row) => toSource(row, ctx.embedder)), nextCursor }
}

/**
 * An index has `createdAt`, and `name` for a first page; a later one reads those before it (list-order.ts). Sorting the 10,000 sources of a
 * knowledge base by another value takes milliseconds.
 */
const keys = {
  createdAt: { key: sql`source.created_at`, type: 'timestamptz' },
  updatedAt: { key: sql`source.updated_at`, type: 'timestamptz' },
  name: { key: sql`source_sort_name(source.name, source.url, source.title) collate "C"`, type: 'text' },
  bytes: { key: sql`coalesce(source.bytes, source.page_bytes, -1)`, type: 'bigint' },
  chunksCount: { key: sql`source.chunks_count::bigint`, type: 'bigint' },
  status: { key: sql`case source.status when 'failed' then 0 when 'processing' then 1 else 2 end::bigint`, type: 'bigint' },
} as const

async function sortedSources(ctx: KnowledgeContext, baseId: string, input: ListSources & { sort: SourceSort }): Promise<SourceList> {
  const { sort, cursor, limit } = input
  const order = listOrder(sort, keys)
  const after = cursor === undefined ? undefined : positionAfter(order, cursor)
  const found = await select(ctx, (db) => {
    const query = matchingSources(db, baseId, input)
      .select(order.value.as('sort_value'))
      .orderBy(order.key, order.direction)
      .orderBy('source.id', order.direction)
      .limit(limit + 1)
    return after === undefined ? query : query.where(isAfter(order, after, sql`source.id`))
  })
  const { rows, nextCursor } = pageInOrder(order, found, limit)
  return { data: rows.map((row) => toSource(row, ctx.embedder)), nextCursor }
}

function matchingSources(db: Transaction, baseId: string, { status, type, contentHash, q }: ListSources) {
  let query = db.selectFrom('source').selectAll().where('base_id', '=', baseId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (type !== undefined) query = query.where('type', '=', type)
  if (contentHash !== undefined) query = query.where('content_hash', '=', contentHash)
  return containing(query, q)
}

function containing<Row>(query: SelectQueryBuilder<Schema, 'source', Row>, q: string | undefined) {
  if (q === undefined) return query
  const pattern = likePattern(q)
  return query.where((where) =>
    where.or([where('name', 'ilike', pattern), where('url', 'ilike', pattern), where('title', 'ilike', pattern)]),
  )
}
