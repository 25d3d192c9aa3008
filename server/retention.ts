import { sql } from 'kysely'
import { withTransaction, type Context } from './context.ts'
import type { Transaction } from './db/schema.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from './work.ts'

/** Deletes expired rows of a log. */
export interface Retention {
  readonly work: OrganizationWork
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
  return {
    work,
    enqueue: async (ctx, trx, before, now) => {
      if (before !== null && day(before) === day(now)) return
      await enqueueWork(ctx, trx, work, {}, { delaySeconds: (retentionDays + 1) * 86_400 })
    },
  }
}

const day = (time: Date): string => time.toISOString().slice(0, 10)
