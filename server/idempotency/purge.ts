import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

/** How long an answer is kept. */
export const keptMs = 24 * 3_600_000
/** Answers of the same hour are purged together. */
const togetherMs = 3_600_000

interface PurgeAnswers {
  /** Answers from before this moment go once they were kept long enough, ISO 8601. */
  createdBefore: string
}

export const purgeAnswersWork = organizationWork<PurgeAnswers>('purge-idempotency-answers', purgeAnswers)

/** For the transaction that stores an answer, before it does: the first one of an hour sees to it that all of them go. */
export async function enqueuePurge(ctx: Context, trx: Transaction, now: Date): Promise<void> {
  const from = new Date(now.getTime() - (now.getTime() % togetherMs))
  const until = new Date(from.getTime() + togetherMs)
  const other = await trx
    .selectFrom('idempotency_answer')
    .select('key')
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) await enqueueAt(ctx, trx, until)
}

function enqueueAt(ctx: Context, trx: Transaction, createdBefore: Date): Promise<void> {
  const delaySeconds = Math.max(1, Math.ceil((createdBefore.getTime() + keptMs - ctx.now().getTime()) / 1000))
  return enqueueWork(ctx, trx, purgeAnswersWork, { createdBefore: createdBefore.toISOString() }, { delaySeconds })
}

async function purgeAnswers(ctx: Context, { createdBefore }: PurgeAnswers): Promise<void> {
  const before = new Date(createdBefore)
  await withTransaction(ctx, async (trx) => {
    // The queue waits by the database's clock, which may be ahead of this one.
    if (ctx.now().getTime() < before.getTime() + keptMs) return enqueueAt(ctx, trx, before)
    await trx.deleteFrom('idempotency_answer').where('created_at', '<', before).execute()
  })
}
