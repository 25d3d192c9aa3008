import { sql } from 'kysely'
import { withTransaction, type Context } from './context.ts'
import { afterCommit } from './db/deferred.ts'
import type { Transaction } from './db/schema.ts'
import { defaultRetentionDays } from './lib/retention-days.ts'
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

/**
 * @param log the setting for the days of this log
 * @param deleteFunction name of the SQL function that deletes rows older than the given days
 */
export function retention(name: string, { log, deleteFunction }: { log: 'events' | 'audit'; deleteFunction: string }): Retention {
  const work = organizationWork(name, (ctx) =>
    withTransaction(ctx, async (trx) => {
      await sql`select ${sql.ref(deleteFunction)}(${ctx.retentionDays[log]}::integer)`.execute(trx)
    }),
  )
  const enqueued = latestPeriods()
  return {
    work,
    isEnqueued: ({ organizationId }, now) => enqueued.has(organizationId, day(now)),
    enqueue: async (ctx, trx, before, now) => {
      afterCommit(trx, () => enqueued.add(ctx.organizationId, day(now)))
      if (before !== null && day(before) === day(now)) return
      const days = ctx.retentionDays[log]
      await enqueueWork(ctx, trx, work, {}, { delaySeconds: (days + 1) * 86_400 })
      // Rows from before the setting was shortened have jobs that come too late.
      if (days < defaultRetentionDays[log]) await enqueueWork(ctx, trx, work, {})
    },
  }
}

/** Returns the number of days since 1970. */
const day = (time: Date): number => Math.floor(time.getTime() / 86_400_000)
