import {
  overviewDays,
  overviewEntries,
  unansweredDays,
  unansweredLookedAt,
  wireId,
  type Overview,
  type RetrievalDay,
} from '@groundwork/api'
import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { adaptiveCache } from '../../lib/adaptive-cache.ts'
import type { KnowledgeContext } from '../context.ts'
import { counts, dayColumns, searchDay } from './stats.ts'

const dayMs = 86_400_000

/** Reads each knowledge base by its log's index, so that older rows cost nothing. */
const ofLoggedBases = sql`retrieval.organization_id = base.organization_id and retrieval.base_id = base.id and base.log_retrievals`

/** Returns the searches of all knowledge bases by UTC day, newest first. */
export async function searchesOfOrganization(ctx: KnowledgeContext): Promise<NonNullable<Overview['searches']>> {
  const today = Math.floor(ctx.now().getTime() / dayMs) * dayMs
  const from = new Date(today - (overviewDays - 1) * dayMs)
  const seen = [ctx.organizationId, from.toISOString(), ...(ctx.actor?.baseIds ?? [])].join(' ')
  const [days, lastAt] = await Promise.all([remembered(ctx.retrievals, seen, () => daysSince(ctx, from)), newestSearch(ctx)])
  return { days, lastAt: lastAt?.toISOString() ?? null }
}

/** Reads all searches of the days: some tenths of a second for 100,000. Small differences do not matter there. */
const remembered = adaptiveCache<RetrievalDay[]>({
  isLarge: (days) => days.reduce((sum, { searches }) => sum + searches, 0) >= 10_000,
  rest: 20,
})

const daysSince = (ctx: Context, from: Date): Promise<RetrievalDay[]> =>
  selectSql(
    ctx,
    sql<RetrievalDay>`
      select ${dayColumns} from base join retrieval on ${ofLoggedBases} and retrieval.created_at >= ${from} and ${counts}
      group by ${searchDay} order by 1 desc`,
  )

async function newestSearch(ctx: Context): Promise<Date | null> {
  const [newest] = await selectSql(
    ctx,
    sql<{ lastAt: Date | null }>`
      select max(newest.created_at) as "lastAt" from base, lateral (
        select retrieval.created_at from retrieval where ${ofLoggedBases} order by retrieval.created_at desc limit 1
      ) newest`,
  )
  return newest?.lastAt ?? null
}

type UnansweredQuestions = NonNullable<Overview['attention']['questions']>
type Unanswered = UnansweredQuestions['data'][number]

/** Returns recent questions to all knowledge bases without a good answer, newest first. */
export async function unansweredOfOrganization(ctx: Context): Promise<UnansweredQuestions> {
  const since = new Date(ctx.now().getTime() - unansweredDays * dayMs)
  const rows = await selectSql(
    ctx,
    sql<Omit<Unanswered, 'lastAt'> & { lastAt: Date; count: number }>`
      select base.id as "baseId", base.name as "baseName", (array_agg(query order by searched.created_at desc, searched.id desc))[1] as question,
        count(*) as times, max(searched.created_at) as "lastAt", max(best_score) as "bestScore", count(*) over () as count
      from base, lateral (
        select retrieval.id, query, question_key, best_score, retrieval.created_at from retrieval
        where ${ofLoggedBases} and unanswered and ${counts} and retrieval.created_at >= ${since}
        order by retrieval.created_at desc, retrieval.id desc limit ${unansweredLookedAt}
      ) searched
      group by base.id, base.name, question_key order by "lastAt" desc, question_key limit ${overviewEntries}`,
  )
  return {
    count: rows[0]?.count ?? 0,
    data: rows.map((row) => ({ ...row, baseId: wireId('kb', row.baseId), lastAt: row.lastAt.toISOString() })),
  }
}
