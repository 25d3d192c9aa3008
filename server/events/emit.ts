import type { AuditAction, EventData, EventType } from '@groundwork/api'
import { sql, type Insertable } from 'kysely'
import { authorOf, entryOf } from '../audit/entry.ts'
import { lastAudited, auditRetention } from '../audit/retention.ts'
import type { Context } from '../context.ts'
import { compiledStatement } from '../db/compiled-statement.ts'
import { defer } from '../db/deferred.ts'
import type { AuditEntryTable, EventTable, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { eventRetention } from './retention.ts'
import { schemaVersion } from './upgrades.ts'

/**
 * Writes an event about the transaction's change, and an audit entry with `action` if it says more than the type. Both commit
 * with the change, and so do the deliveries to webhook endpoints (trigger `deliver_event`). Call it last: the organization's
 * other events wait from here until the transaction ends (migration 0006 explains why). The event is sent with the next statement
 * or the commit.
 */
export async function emit<T extends EventType>(
  ctx: Context,
  trx: Transaction,
  type: T,
  data: EventData<T>,
  action: AuditAction = type,
): Promise<void> {
  const now = ctx.now()
  const { id: entry_id, ...entry } = entryOf(ctx.organizationId, now, authorOf(ctx), { action, target: data.id })
  const values = { ...entry, entry_id, ...rowOf(ctx, now, type, data) }
  if (eventRetention.isEnqueued(ctx, now) && auditRetention.isEnqueued(ctx, now)) return defer(trx, auditedEvent(values)(trx).compile())
  const row = await insertAudited(trx, values).returning(lastEmitted).returning(lastAudited).executeTakeFirstOrThrow()
  await eventRetention.enqueue(ctx, trx, row.before, now)
  await auditRetention.enqueue(ctx, trx, row.audited, now)
}

/** An event, with the columns of its audit entry that it does not share. */
type AuditedEvent = Insertable<EventTable> & Omit<Insertable<AuditEntryTable>, 'id'> & { entry_id: string }

const insertAudited = (trx: Transaction, { entry_id, action, address, request_id, target_kind, target_id, ...event }: AuditedEvent) => {
  const { organization_id, created_at, actor_type, actor_id } = event
  const entry = { organization_id, created_at, id: entry_id, action, actor_type, actor_id, address, request_id, target_kind, target_id }
  return trx
    .with('entry', (db) => db.insertInto('audit_entry').values(entry))
    .insertInto('event')
    .values(event)
}

const auditedEvent = compiledStatement(insertAudited)

/** Does the same as `emit` for changes of many records, in one statement more. The events have the order of `data`. */
export async function emitMany<T extends EventType>(
  ctx: Context,
  trx: Transaction,
  type: T,
  data: readonly EventData<T>[],
  action: AuditAction = type,
): Promise<void> {
  const [first, ...others] = data
  if (first === undefined) return
  await emit(ctx, trx, type, first, action)
  if (others.length === 0) return
  const now = ctx.now()
  const author = authorOf(ctx)
  const newIds = (): string[] => others.map(() => newId(now.getTime()))
  const { organizationId } = ctx
  const statement = sql`
    with entry as (
      insert into audit_entry
        (organization_id, created_at, id, action, actor_type, actor_id, address, request_id, target_kind, target_id)
      select ${organizationId}, ${now}, changed.id, ${action}, ${author.type}, ${author.id}::uuid, ${author.address},
        ${author.requestId}, ${first.id.slice(0, -37)}, changed.target
      from unnest(${newIds()}::uuid[], ${others.map(({ id }) => id.slice(-36))}::uuid[]) as changed (id, target)
    )
    insert into event (organization_id, id, type, data, schema_version, actor_type, actor_id, created_at)
    select ${organizationId}, changed.id, ${type}, changed.data::jsonb, ${schemaVersion}, ${author.type}, ${author.id}::uuid, ${now}
    from unnest(${newIds()}::uuid[], ${others.map((each) => JSON.stringify(each))}::text[]) as changed (id, data)`
  await defer(trx, statement.compile(trx))
}

/** Writes an event about the progress of an operation that the audit log already records. */
export async function emitProgress<T extends EventType>(ctx: Context, trx: Transaction, type: T, data: EventData<T>): Promise<void> {
  const now = ctx.now()
  const event = trx.insertInto('event').values(rowOf(ctx, now, type, data))
  if (eventRetention.isEnqueued(ctx, now)) return defer(trx, event.compile())
  const { before } = await event.returning(lastEmitted).executeTakeFirstOrThrow()
  await eventRetention.enqueue(ctx, trx, before, now)
}

function rowOf<T extends EventType>(ctx: Context, now: Date, type: T, data: EventData<T>) {
  const author = authorOf(ctx)
  return {
    organization_id: ctx.organizationId,
    id: newId(now.getTime()),
    type,
    data: JSON.stringify(data),
    schema_version: schemaVersion,
    actor_type: author.type,
    actor_id: author.id,
    created_at: now,
  }
}

const lastEmitted = sql<Date | null>`(select before.created_at from event as before order by before.position desc limit 1)`.as('before')
