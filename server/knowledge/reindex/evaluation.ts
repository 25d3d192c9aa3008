import { ReindexEvaluation } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { compareReindexQueue, type CompareReindex } from './queue.ts'
import type { ReindexRow } from './rows.ts'

/** The stored evaluation: the pending job, or the results and the number of questions at that time. */
export type StoredEvaluation = { readonly pending: string } | { readonly saved: number; readonly result: ReindexEvaluation }

/** Returns null if the knowledge base had no questions, or a source was built since. */
export function evaluationOf({ evaluation }: Pick<ReindexRow, 'evaluation'>): StoredEvaluation | null {
  if (evaluation === null) return null
  const stored = evaluation as { pending?: string; saved?: number; result?: unknown }
  return stored.pending === undefined
    ? { saved: stored.saved ?? 0, result: ReindexEvaluation.parse(stored.result) }
    : { pending: stored.pending }
}

/** Returns the number of evaluation questions of the knowledge base. */
export async function countQuestions(trx: Transaction, baseId: string): Promise<number> {
  const { n } = await trx
    .selectFrom('evaluation_question')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('base_id', '=', baseId)
    .executeTakeFirstOrThrow()
  return n
}

/** Queues the evaluation of both indexes; the re-index, locked by the caller, is building until it is done. */
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

/** Deletes the evaluation, which a further build makes obsolete. */
export async function deleteReindexEvaluation(trx: Transaction, reindexId: string): Promise<void> {
  await trx
    .updateTable('reindex')
    .set({ evaluation: null })
    .where('id', '=', reindexId)
    .where(sql<boolean>`status in ('building', 'ready')`)
    .execute()
}

/** Returns whether the new index answers the questions worse than the live one, or it is unknown. */
export function isWorse({ before, after, error }: ReindexEvaluation): boolean {
  if (error !== null || before === null || after === null) return true
  return after.recall < before.recall || after.mrr < before.mrr
}
