import { wireId, type ListRetrievals, type Retrieval, type RetrievalSort } from '@groundwork/api'
import { sql, type Selectable, type SelectQueryBuilder } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import { isAfter, listOrder, pageInOrder, positionAfter } from '../../db/list-order.ts'
import { newestFirst } from '../../db/newest-first.ts'
import type { RetrievalTable, Schema, Transaction } from '../../db/schema.ts'
import { pageOf } from '../../lib/cursor.ts'
import { likePattern } from '../../lib/like.ts'
import { requireBase } from '../rows/bases.ts'

/**
 * Returns the searches of a knowledge base in the requested order, newest first by default, without hits in deleted sources.
 * @throws AppError `not_found`, or `bad_request`, field `cursor`
 */
export function listRetrievals(
  ctx: Context,
  baseId: string,
  input: ListRetrievals,
): Promise<{ data: Retrieval[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    let query = trx.selectFrom('retrieval').selectAll().where('base_id', '=', baseId)
    if (input.since !== undefined) query = query.where('created_at', '>=', new Date(input.since))
    if (input.until !== undefined) query = query.where('created_at', '<', new Date(input.until))
    if (input.unanswered !== undefined) query = query.where(input.unanswered ? sql<boolean>`unanswered` : sql<boolean>`not unanswered`)
    if (input.q !== undefined) query = query.where('query', 'ilike', likePattern(input.q))
    const page = await pageOfSearches(query, input)
    const present = await sourcesPresent(trx, baseId, new Set(page.rows.flatMap(({ source_ids }) => source_ids)))
    return { data: page.rows.map((row) => toRetrieval(row, present)), nextCursor: page.nextCursor }
  })
}

/** An index has `createdAt`. The other orders read the searches of the knowledge base, or of the given times. */
const keys = {
  createdAt: { key: sql`retrieval.created_at`, type: 'timestamptz' },
  bestScore: { key: sql`coalesce(retrieval.best_score * 1e9, -1)::bigint`, type: 'bigint' },
  totalMs: { key: sql`(retrieval.total_ms * 1000)::bigint`, type: 'bigint' },
} as const

type Searches = SelectQueryBuilder<Schema, 'retrieval', Selectable<RetrievalTable>>

/** @throws AppError `bad_request`, field `cursor` */
async function pageOfSearches(
  query: Searches,
  { sort, cursor, limit }: ListRetrievals,
): Promise<{ rows: Selectable<RetrievalTable>[]; nextCursor: string | null }> {
  if (sort === '-createdAt') return pageOf(await newestFirst(query, 'retrieval', { limit, cursor }).execute(), limit)
  const order = listOrder<RetrievalSort>(sort, keys)
  const sorted = query
    .select(order.value.as('sort_value'))
    .orderBy(order.key, order.direction)
    .orderBy('retrieval.id', order.direction)
    .limit(limit + 1)
  const rest = cursor === undefined ? sorted : sorted.where(isAfter(order, positionAfter(order, cursor), sql`retrieval.id`))
  return pageInOrder(order, await rest.execute(), limit)
}

async function sourcesPresent(trx: Transaction, baseId: string, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('source')
    .select('id')
    .where('base_id', '=', baseId)
    .where(sql<boolean>`id = any(${[...ids]}::uuid[])`)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

function toRetrieval(row: Selectable<RetrievalTable>, present: ReadonlySet<string>): Retrieval {
  return {
    id: wireId('ret', row.id),
    query: row.query,
    hits: row.source_ids.map((sourceId, index) => {
      const chunkId = row.chunk_ids[index]
      const named = present.has(sourceId) && chunkId !== undefined
      return {
        chunkId: named ? wireId('chk', chunkId) : null,
        sourceId: named ? wireId('src', sourceId) : null,
        score: row.scores[index] ?? 0,
      }
    }),
    bestScore: row.best_score,
    unanswered: row.unanswered,
    scoredBy: row.scored_by,
    timings: {
      embedMs: row.embed_ms,
      searchMs: row.search_ms,
      rerankMs: row.rerank_ms,
      assembleMs: row.assemble_ms,
      totalMs: row.total_ms,
    },
    degraded: row.degraded,
    via: row.via,
    tokenId: row.token_id && wireId('tok', row.token_id),
    createdAt: row.created_at.toISOString(),
  }
}
