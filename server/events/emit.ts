import type { EventData, EventType } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { enqueueForgetting } from './forget.ts'

/**
 * Writes down what the transaction changed: the event is kept with the change, or neither is. To be called last, since
 * the organization's other events wait from here until the transaction ends (migration 0004 says why).
 */
export async function emit<T extends EventType>(ctx: Context, trx: Transaction, type: T, data: EventData<T>): Promise<void> {
  const now = ctx.now()
  const row = await trx
    .insertInto('event')
    .values({
      organization_id: ctx.organizationId,
      id: newId(now.getTime()),
      type,
      data: JSON.stringify(data),
      created_at: now,
    })
    .returning(sql<Date | null>`(select before.created_at from event as before order by before.position desc limit 1)`.as('before'))
    .executeTakeFirstOrThrow()
  await enqueueForgetting(ctx, trx, row.before, now)
}
