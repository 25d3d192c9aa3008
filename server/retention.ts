import { sql } from 'kysely'
import { withTransaction, type Context } from './context.ts'
import type { Transaction } from './db/schema.ts'
import { enqueueWork, organizationWork, type OrganizationWork } from './work.ts'

/** What a log drops when its rows are old enough, and how a row that is added sees to it. */
export interface Retention {
  readonly work: OrganizationWork
  /**
   * For the transaction that adds a row: the first one of a day brings the job that forgets all rows of that day. Two that
   * come first at once bring two jobs, of which the second finds nothing. `before` is when the row before it was added.
   */
  enqueue(ctx: Context, trx: Transaction, before: Date | null, now: Date): Promise<void>
}

/** `dropOld` is the database's own function, which drops what is older than as many days. */
export function retention(name: string, { keptDays, dropOld }: { keptDays: number; dropOld: string }): Retention {
  const work = organizationWork(name, (ctx) =>
    withTransaction(ctx, async (trx) => {
      await sql`select ${sql.ref(dropOld)}()`.execute(trx)
    }),
  )
  return {
    work,
    enqueue: async (ctx, trx, before, now) => {
      if (before !== null && day(before) === day(now)) return
      await enqueueWork(ctx, trx, work, {}, { delaySeconds: (keptDays + 1) * 86_400 })
    },
  }
}

const day = (time: Date): string => time.toISOString().slice(0, 10)
