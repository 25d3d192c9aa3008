import { ReindexEvaluation } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { compareReindexQueue, type CompareReindex } from './queue.ts'
import type { ReindexRow } from './rows.ts'

/** As it is kept: who is to bring it, or what was brought and how many questions the base had then. */
export type StoredEvaluation = { readonly pending: string } | { readonly saved: number; readonly result: ReindexEvaluation }

/** Null where the base had no questions when it was built, or something was built since. */
export function evaluationOf({ evaluation }: Pick<ReindexRow, 'evaluation'>): StoredEvaluation | null {
  if (evaluation === null) return null
  const stored = evaluation as { pending?: string; saved?: number; result?: unknown }
  return stored.pending === undefined
    ? { saved: stored.saved ?? 0, result: ReindexEvaluation.parse(stored.result) }
    : { pending: stored.pending }
}

/** Questions that the base has. */
export async function countQuestions(trx: Transaction, baseId: string): Promise<number> {
  const { n } = await trx
    .selectFrom('evaluation_question')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('base_id', '=', baseId)
    .executeTakeFirstOrThrow()
  return n
}

/** Has both indexes asked the questions of the base by a job; the re-index, held by the caller, is building until that is done. */
export async function beginEvaluation(ctx: Context, trx: Transaction, reindex: ReindexRow): Promise<void> {
  const stamp = newId()
  const data: CompareReindex = { organizationId: ctx.organizationId, baseId: reindex.base_id, reindexId: reindex.id, stamp }
  await trx
    .updateTable('reindex')
    .set({ status: 'building', ready_at: null, evaluation: JSON.stringify({ pending: stamp }), updated_at: ctx.now() })
    .where('id', '=', reindex.id)
    .execute()
  await ctx.jobs.enqueue(trx, compareReindexQueue, data)
}

/** Something is to be built: what was measured without it says nothing any more. */
export async function forgetEvaluation(trx: Transaction, reindexId: string): Promise<void> {
  await trx
    .updateTable('reindex')
    .set({ evaluation: null })
    .where('id', '=', reindexId)
    .where(sql<boolean>`status in ('building', 'ready')`)
    .execute()
}

/** Whether questions are answered worse by the new index than by the one that is searched, or nobody knows. */
export function isWorse({ before, after, error }: ReindexEvaluation): boolean {
  if (error !== null || before === null || after === null) return true
  return after.recall < before.recall || after.mrr < before.mrr
}
