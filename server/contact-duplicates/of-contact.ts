import { wireId, type ExportedDuplicate } from '@groundwork/api'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'

/** Deletes the pairs of a contact, also the dismissed ones. */
export async function deleteDuplicatesOf(trx: Transaction, contactId: string): Promise<void> {
  await trx
    .deleteFrom('contact_duplicate')
    .where((eb) => eb.or([eb('first_id', '=', contactId), eb('second_id', '=', contactId)]))
    .execute()
}

/** Returns the pairs of a contact, also the dismissed ones, newest first. */
export async function duplicatesOf(trx: Transaction, contactId: string): Promise<ExportedDuplicate[]> {
  const rows = await trx
    .selectFrom('contact_duplicate')
    .selectAll()
    .where((eb) => eb.or([eb('first_id', '=', contactId), eb('second_id', '=', contactId)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: wireId('dup', row.id),
    contactId: wireId('ctc', row.first_id === contactId ? row.second_id : row.first_id),
    confidence: row.confidence,
    reasons: row.reasons,
    status: row.status,
    createdAt: row.created_at.toISOString(),
  }))
}

/** Remembers that two contacts are not the same person. */
export async function dismissPair(ctx: Context, trx: Transaction, ids: readonly [string, string]): Promise<void> {
  const [firstId, secondId] = ids.toSorted()
  const now = ctx.now()
  await sql`
    insert into contact_duplicate
      (organization_id, id, first_id, second_id, confidence, reasons, status, created_at, dismissed_at)
    values (${ctx.organizationId}::uuid, ${newId(now.getTime())}::uuid, ${firstId}::uuid, ${secondId}::uuid, 0, '{}', 'dismissed',
      ${now}::timestamptz, ${now}::timestamptz)
    on conflict (organization_id, first_id, second_id) do update set status = 'dismissed', dismissed_at = excluded.dismissed_at
    where contact_duplicate.status = 'open'`.execute(trx)
}

/** Remembers what was dismissed for a contact for the one that has its values now. */
export async function moveDismissedPairs(ctx: Context, trx: Transaction, { from, to }: { from: string; to: string }): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select case first_id when ${from}::uuid then second_id else first_id end as id from contact_duplicate
    where ${from}::uuid in (first_id, second_id) and status = 'dismissed'`.execute(trx)
  for (const { id } of rows) if (id !== to) await dismissPair(ctx, trx, [id, to])
}
