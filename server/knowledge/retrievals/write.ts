import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { enqueueExpiry } from './retention.ts'
import { questionKey } from './question-key.ts'
import type { Retrieval } from './retrieval.ts'

/**
 * Adds the rows of one organization with one statement. Rows of deleted knowledge bases, and of those without a log, are left
 * out: the statement locks the knowledge base, so a change comes either before or after all of them. The first rows of a day
 * queue the job that deletes them.
 */
export function writeRetrievals(
  db: Database,
  ctx: Pick<Context, 'jobs' | 'organizationId' | 'retentionDays'>,
  retrievals: readonly Retrieval[],
): Promise<void> {
  return db.transaction(ctx.organizationId, async (trx) => {
    const { rows } = await sql<{ id: string; days: number; before: Date | null; last: Date }>`
      with given as (
        select * from json_to_recordset(${JSON.stringify(retrievals.map(toRow))}::json) as r (
          base_id uuid, created_at timestamptz, id uuid, query text, question_key text, chunk_ids uuid[], source_ids uuid[],
          scores real[], best_score real, unanswered boolean, scored_by text, embed_ms real, search_ms real, rerank_ms real, assemble_ms real, total_ms real,
          degraded text[], via text, token_id uuid
        )
      ), held as materialized (
        select id, retrieval_days, coalesce(retrievals_since, '-infinity') as since from base where id in (select base_id from given) and log_retrievals order by id for key share
      ), kept as (
        insert into retrieval (organization_id, base_id, created_at, id, query, question_key, chunk_ids, source_ids, scores,
          best_score, unanswered, scored_by, embed_ms, search_ms, rerank_ms, assemble_ms, total_ms, degraded, via, token_id)
        select ${ctx.organizationId}::uuid, g.base_id, g.created_at, g.id, g.query, decode(g.question_key, 'hex'), g.chunk_ids, g.source_ids, g.scores,
          g.best_score, g.unanswered, g.scored_by, g.embed_ms, g.search_ms, g.rerank_ms, g.assemble_ms, g.total_ms, g.degraded, g.via, g.token_id
        from given g join held b on b.id = g.base_id and g.created_at >= b.since
        on conflict do nothing returning base_id, created_at
      )
      select b.id, b.retrieval_days as days, max(k.created_at) as last,
        (select max(created_at) from retrieval where base_id = b.id) as before
      from kept k join held b on b.id = k.base_id group by 1, 2`.execute(trx)
    for (const { id, days, before, last } of rows) await enqueueExpiry(ctx, trx, { baseId: id, days, before, last })
  })
}

const toRow = (of: Retrieval): object => ({
  base_id: of.baseId,
  created_at: of.createdAt,
  id: of.id,
  query: of.query,
  question_key: questionKey(of.query),
  chunk_ids: of.chunkIds,
  source_ids: of.sourceIds,
  scores: of.scores,
  best_score: of.bestScore,
  unanswered: of.unanswered,
  scored_by: of.scoredBy,
  embed_ms: of.timings.embedMs,
  search_ms: of.timings.searchMs,
  rerank_ms: of.timings.rerankMs ?? 0,
  assemble_ms: of.timings.assembleMs,
  total_ms: of.timings.totalMs,
  degraded: of.degraded,
  via: of.via,
  token_id: of.tokenId,
})
