import { sql } from 'kysely'
import { withTransaction, type Context } from './context.ts'
import { afterCommit } from './db/deferred.ts'
import type { Transaction } from './db/schema.ts'
import { latestPeriods } from './lib/latest-periods.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from './work.ts'

/** Deletes expired rows of a log. */
export interface Retention {
  readonly work: OrganizationWork
  /** Returns whether this process knows that the deletion of the day's rows is enqueued. Then `enqueue` need not be called. */
  isEnqueued(ctx: Context, now: Date): boolean
  /**
   * Enqueues the deletion of the day's rows, in the transaction that adds the first row of a day. `before` is the creation time
   * of the previous row. Two concurrent first rows enqueue two jobs, of which the second deletes nothing.
   */
  enqueue(ctx: Context, trx: Transaction, before: Date | null, now: Date): Promise<void>
}

/** @param deleteFunction name of the SQL function that deletes rows older than `retentionDays` */
export function retention(name: string, { retentionDays, deleteFunction }: { retentionDays: number; deleteFunction: string }): Retention {
  const work = organizationWork(name, (ctx) =>
    withTransaction(ctx, async (trx) => {
      await sql`select ${sql.ref(deleteFunction)}()`.execute(trx)
    }),
  )
  const enqueued = latestPeriods()
  return {
    work,
    isEnqueued: ({ organizationId }, now) => enqueued.has(organizationId, day(now)),
    enqueue: async (ctx, trx, before, now) => {
      afterCommit(trx, () => enqueued.add(ctx.organizationId, day(now)))
      if (before !== null && day(before) === day(now)) return
      await enqueueWork(ctx, trx, work, {}, { delaySeconds: (retentionDays + 1) * 86_400 })
    },
  }
}

/** Returns the number of days since 1970. */
const day = (time: Date): number => Math.floor(time.getTime() / 86_400_000)
