import { wireId, type AuditEntry, type ListAuditEntries } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { requireWholeOrganization, select, type Context } from '../context.ts'
import type { AuditEntryTable } from '../db/schema.ts'
import { newestFirst } from '../db/newest-first.ts'
import { pageOf } from '../lib/cursor.ts'
import { actorName, toActor } from './actor.ts'
import { targetColumns, toTarget, type TargetColumns } from './target.ts'

/**
 * Returns audit entries, newest first. Entries concern the whole organization, so a token that is limited to some knowledge
 * bases cannot list them.
 * @throws AppError `forbidden` for a limited actor, `bad_request`, field `cursor`
 */
export async function listAuditEntries(ctx: Context, input: ListAuditEntries): Promise<{ data: AuditEntry[]; nextCursor: string | null }> {
  requireWholeOrganization(ctx)
  const rows = await select(ctx, (db) => {
    let query = db
      .selectFrom('audit_entry')
      .selectAll('audit_entry')
      .select([actorName('audit_entry').as('actor_name'), ...targetColumns])
    if (input.action !== undefined) query = query.where('action', 'in', input.action)
    if (input.actorId !== undefined) query = query.where('actor_id', '=', input.actorId)
    if (input.targetId !== undefined) query = query.where('target_id', '=', input.targetId)
    if (input.since !== undefined) query = query.where('created_at', '>=', new Date(input.since))
    if (input.until !== undefined) query = query.where('created_at', '<', new Date(input.until))
    return newestFirst(query, 'audit_entry', input)
  })
  const page = pageOf(rows, input.limit)
  return { data: page.rows.map(toAuditEntry), nextCursor: page.nextCursor }
}

/** Only `audit` and `emit` write rows, with typed actions. */
function toAuditEntry(row: Selectable<AuditEntryTable> & { actor_name: string | null } & TargetColumns): AuditEntry {
  return {
    id: wireId('aud', row.id),
    action: row.action as AuditEntry['action'],
    actor: toActor(row),
    ...toTarget(row),
    address: row.address,
    requestId: row.request_id,
    createdAt: row.created_at.toISOString(),
  }
}
