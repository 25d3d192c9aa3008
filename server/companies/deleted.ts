import { wireId, type DeletedCompany, type ListDeletedCompanies } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import { requirePerson } from '../contacts/agent-writes.ts'
import { containsWords } from '../db/contains-words.ts'
import { newestFirst } from '../db/newest-first.ts'
import { pageOf } from '../lib/cursor.ts'
import { restorableSince, restorableUntil } from '../lib/restorable.ts'

/**
 * Returns the companies that `restoreCompany` can restore, the last deleted first.
 * @throws AppError `bad_request`, field `cursor`; `forbidden` for an agent
 */
export async function listDeletedCompanies(
  ctx: Context,
  input: ListDeletedCompanies,
): Promise<{ data: DeletedCompany[]; nextCursor: string | null }> {
  requirePerson(ctx)
  const rows = await select(ctx, (db) => {
    const deleted = db
      .selectFrom('company')
      .select(['id', 'name', 'domains', sql<Date>`deleted_at`.as('created_at')])
      .where('deleted_at', '>', restorableSince(ctx.now()))
      .where('merged_into', 'is', null)
      .$if(input.q !== undefined, (query) => query.where(containsWords(searchedText, input.q ?? '')))
      .as('deleted')
    return newestFirst(db.selectFrom(deleted).selectAll(), 'deleted', input)
  })
  const page = pageOf(rows, input.limit)
  return { data: page.rows.map(toDeletedCompany), nextCursor: page.nextCursor }
}

const toDeletedCompany = (row: { id: string; name: string; domains: string[]; created_at: Date }): DeletedCompany => ({
  id: wireId('co', row.id),
  name: row.name,
  domains: row.domains,
  deletedAt: row.created_at.toISOString(),
  restorableUntil: restorableUntil(row.created_at).toISOString(),
})

const searchedText = sql<string>`name || ' ' || array_to_string(domains, ' ')`
