import { wireId, type DeletedContact, type ListDeletedContacts } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import { containsWords } from '../db/contains-words.ts'
import { newestFirst } from '../db/newest-first.ts'
import { pageOf } from '../lib/cursor.ts'
import { restorableUntil } from '../lib/restorable.ts'
import { requirePerson } from './agent-writes.ts'
import { isMerged, isRestorable } from './restorable.ts'

/**
 * Returns the contacts that `restoreContact` can restore, the last deleted first.
 * @throws AppError `bad_request`, field `cursor`; `forbidden` for an agent
 */
export async function listDeletedContacts(
  ctx: Context,
  input: ListDeletedContacts,
): Promise<{ data: DeletedContact[]; nextCursor: string | null }> {
  requirePerson(ctx)
  const rows = await select(ctx, (db) => {
    const deleted = db
      .selectFrom('contact')
      .select(['id', 'first_name', 'last_name', 'email', 'phone', sql<Date>`deleted_at`.as('created_at')])
      .where(sql<boolean>`${isRestorable(ctx.now())} and not ${isMerged}`)
      .$if(input.q !== undefined, (query) => query.where(containsWords(searchedText, input.q ?? '')))
      .as('deleted')
    return newestFirst(db.selectFrom(deleted).selectAll(), 'deleted', input)
  })
  const page = pageOf(rows, input.limit)
  return { data: page.rows.map(toDeletedContact), nextCursor: page.nextCursor }
}

type Row = Record<'first_name' | 'last_name' | 'email' | 'phone', string | null> & { id: string; created_at: Date }

const toDeletedContact = ({ id, created_at: deletedAt, ...row }: Row): DeletedContact => ({
  id: wireId('ctc', id),
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  phone: row.phone,
  deletedAt: deletedAt.toISOString(),
  restorableUntil: restorableUntil(deletedAt).toISOString(),
})

const searchedText = sql<string>`concat_ws(' ', first_name, last_name, email, phone)`
