import { wireId, type AuditEntry, type ListAuditEntries } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { select, type Context } from '../context.ts'
import type { AuditEntryTable } from '../db/schema.ts'
import { decodeCursor, pageOf } from '../lib/cursor.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Newest first. Entries tell of everything in the organization, so a token that may not see all of it sees none.
 * @throws AppError `forbidden` for an actor that is limited to bases, `bad_request`, field `cursor`
 */
export async function listAuditEntries(ctx: Context, input: ListAuditEntries): Promise<{ data: AuditEntry[]; nextCursor: string | null }> {
  if ((ctx.actor?.baseIds ?? null) !== null) {
    throw new AppError('forbidden', 'an API token that is limited to knowledge bases cannot read the audit log')
  }
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const rows = await select(ctx, (db) => {
    let query = db
      .selectFrom('audit_entry')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(input.limit + 1)
    if (input.action !== undefined) query = query.where('action', 'in', input.action)
    if (input.actorId !== undefined) query = query.where('actor_id', '=', input.actorId)
    if (input.targetId !== undefined) query = query.where('target_id', '=', input.targetId)
    if (input.since !== undefined) query = query.where('created_at', '>=', new Date(input.since))
    if (input.until !== undefined) query = query.where('created_at', '<', new Date(input.until))
    if (after !== undefined) query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`)
    return query
  })
  const page = pageOf(rows, input.limit)
  return { data: page.rows.map(toAuditEntry), nextCursor: page.nextCursor }
}

/** `audit` and `emit` alone write rows, whose actions are typed. */
function toAuditEntry(row: Selectable<AuditEntryTable>): AuditEntry {
  return {
    id: wireId('aud', row.id),
    action: row.action as AuditEntry['action'],
    actor: { type: row.actor_type, id: row.actor_id && `${row.actor_type === 'user' ? 'usr' : 'tok'}_${row.actor_id}` },
    targetId: `${row.target_kind}_${row.target_id}`,
    address: row.address,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  }
}
