import type { AuditAction, EventData, EventType } from '@groundwork/api'
import { sql } from 'kysely'
import { authorOf, entryOf } from '../audit/entry.ts'
import { lastAudited, auditRetention } from '../audit/retention.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { eventRetention } from './retention.ts'
import { schemaVersion } from './upgrades.ts'

/**
 * Writes down what the transaction changed, and in the audit log who changed it, under `action` where that says more than
 * the type: event and entry are kept with the change, or none of them is; so are the deliveries of the event to webhook
 * endpoints (the trigger deliver_event). To be called last, since the organization's other events wait from here until the
 * transaction ends (migration 0004 says why).
 */
export async function emit<T extends EventType>(
  ctx: Context,
  trx: Transaction,
  type: T,
  data: EventData<T>,
  action: AuditAction = type,
): Promise<void> {
  const now = ctx.now()
  const row = await trx
    .with('entry', (db) =>
      db.insertInto('audit_entry').values(entryOf(ctx.organizationId, now, authorOf(ctx), { action, target: data.id })),
    )
    .insertInto('event')
    .values(rowOf(ctx, now, type, data))
    .returning(lastEmitted)
    .returning(lastAudited)
    .executeTakeFirstOrThrow()
  await eventRetention.enqueue(ctx, trx, row.before, now)
  await auditRetention.enqueue(ctx, trx, row.audited, now)
}

/** The same for how far the service is with what somebody asked for, of which the audit log has an entry already. */
export async function emitProgress<T extends EventType>(ctx: Context, trx: Transaction, type: T, data: EventData<T>): Promise<void> {
  const now = ctx.now()
  const { before } = await trx
    .insertInto('event')
    .values(rowOf(ctx, now, type, data))
    .returning(lastEmitted)
    .executeTakeFirstOrThrow()
  await eventRetention.enqueue(ctx, trx, before, now)
}

const rowOf = <T extends EventType>({ organizationId }: Context, now: Date, type: T, data: EventData<T>) => ({
  organization_id: organizationId,
  id: newId(now.getTime()),
  type,
  data: JSON.stringify(data),
  schema_version: schemaVersion,
  created_at: now,
})

const lastEmitted = sql<Date | null>`(select before.created_at from event as before order by before.position desc limit 1)`.as('before')
