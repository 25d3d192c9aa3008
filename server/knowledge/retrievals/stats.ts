import type { RetrievalDay, RetrievalStats } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import { requireBase } from '../rows/bases.ts'

/** Default number of days. */
const shownDays = 30

/** The UTC day of a search. */
export const searchDay = sql`(retrieval.created_at at time zone 'UTC')::date`

/** Whether a search counts in statistics: those of people who try the playground do not. */
export const counts = sql<boolean>`retrieval.via <> 'playground'`

/** The statistics of a day. */
export const dayColumns = sql`
  to_char(${searchDay}, 'YYYY-MM-DD') as day, count(*) as searches,
  count(*) filter (where unanswered) as unanswered,
  round((percentile_cont(0.5) within group (order by total_ms))::numeric, 2)::float8 as "p50Ms",
  round((percentile_cont(0.95) within group (order by total_ms))::numeric, 2)::float8 as "p95Ms"`

/**
 * Returns the searches of a knowledge base by UTC day, newest first: their number, those without a good answer, and their
 * duration.
 * @throws AppError `not_found`
 */
export function retrievalStats(ctx: Context, baseId: string, { since }: RetrievalStats): Promise<{ data: RetrievalDay[] }> {
  const from = since === undefined ? new Date(ctx.now().getTime() - shownDays * 86_400_000) : new Date(since)
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    const { rows } = await sql<RetrievalDay>`
      select ${dayColumns}
      from retrieval where base_id = ${baseId}::uuid and created_at >= ${from} and ${counts}
      group by ${searchDay} order by 1 desc`.execute(trx)
    return { data: rows }
  })
}
