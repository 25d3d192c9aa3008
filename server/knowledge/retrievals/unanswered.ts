import type { ListUnanswered, UnansweredQuestion } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import { requireBase } from '../rows/bases.ts'
import { counts } from './stats.ts'

/**
 * Returns questions to a knowledge base without a good answer, most frequent first.
 * @throws AppError `not_found`
 */
export function listUnanswered(ctx: Context, baseId: string, input: ListUnanswered): Promise<{ data: UnansweredQuestion[] }> {
  return withTransaction(ctx, async (trx) => {
    await requireBase(trx, baseId)
    let query = trx
      .selectFrom('retrieval')
      .select(({ fn }) => [
        sql<string>`(array_agg(query order by created_at desc, id desc))[1]`.as('question'),
        fn.countAll<number>().as('times'),
        fn.max('created_at').as('last_at'),
        fn.max('best_score').as('best_score'),
      ])
      .where('base_id', '=', baseId)
      .where(sql<boolean>`unanswered`)
      .where(counts)
    if (input.since !== undefined) query = query.where('created_at', '>=', new Date(input.since))
    if (input.until !== undefined) query = query.where('created_at', '<', new Date(input.until))
    const rows = await query
      .groupBy('question_key')
      .orderBy('times', 'desc')
      .orderBy('last_at', 'desc')
      .orderBy('question_key')
      .limit(input.limit)
      .execute()
    return {
      data: rows.map(({ question, times, last_at, best_score }) => ({
        question,
        times,
        lastAt: last_at.toISOString(),
        bestScore: best_score,
      })),
    }
  })
}
