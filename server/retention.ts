import { sql } from 'kysely'
import { withTransaction, type Context } from './context.ts'
import { afterCommit } from './db/deferred.ts'
import type { Transaction } from './db/schema.ts'
import { defaultRetentionDays } from './lib/retention-days.ts'
import { latestPeriods } from './lib/latest-periods.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from './work.ts'

interface RetentionOptions {
  /** The setting for the days of this log. */
  readonly log: 'events' | 'audit'
  /** Name of the SQL function that deletes rows older than the given days. */
  readonly deleteFunction: string
  /** Runs in the transaction of the deletion. */
  readonly beforeDeletion?: (trx: Transaction, days: number) => Promise<void>
}

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
 * @param name name of the job
 */
export function retention(name: string, { log, deleteFunction, beforeDeletion }: RetentionOptions): Retention {
  const work = organizationWork(name, (ctx) =>
    withTransaction(ctx, async (trx) => {
      const days = ctx.retentionDays[log]
      await beforeDeletion?.(trx, days)
      await sql`select ${sql.ref(deleteFunction)}(${days}::integer)`.execute(trx)
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
