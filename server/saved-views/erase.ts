import { wireId, type ExportedView } from '@groundwork/api'
import { sql } from 'kysely'
import { auditMany } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { namesPerson } from '../db/names-person.ts'
import type { Transaction } from '../db/schema.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'
import { changeOf, viewTables, type ViewTable } from './views.ts'

interface NamingView {
  table: ViewTable
  id: string
  name: string
  q: string | null
  filter: Record<string, unknown> | null
}

/** Returns the views whose name, search text or filter names a person, also personal ones of any member. */
async function viewsNaming(trx: Transaction, terms: PersonalTerms): Promise<NamingView[]> {
  const selects = tables.map(
    (table) => sql`
      select ${table}::text as table, id, name, q, filter from ${sql.table(table)}
      where ${namesPerson(sql`concat_ws(' ', name, q)`, terms)}
        or exists (select from jsonb_path_query(filter, 'strict $.** ? (@.type() == "string")') as part
          where ${namesPerson(sql`part #>> '{}'`, terms)})`,
  )
  const { rows } = await sql<NamingView>`${sql.join(selects, sql` union all `)} order by id desc`.execute(trx)
  return rows
}

/** Safe cast: the keys of a constant. */
const tables = Object.keys(viewTables) as ViewTable[]

/** Deletes the views that name a person. Returns their number. */
export async function eraseViews(ctx: Context, trx: Transaction, terms: PersonalTerms): Promise<number> {
  const views = await viewsNaming(trx, terms)
  for (const { table, id } of views) await trx.deleteFrom(table).where('id', '=', id).execute()
  await auditMany(
    ctx,
    trx,
    views.map(({ table, id }) => changeOf(table, id, 'deleted')),
  )
  return views.length
}

/** Returns the views that name a person, newest first. */
export async function viewsAbout(trx: Transaction, terms: PersonalTerms): Promise<ExportedView[]> {
  const views = await viewsNaming(trx, terms)
  return views.map(({ table, id, name, q, filter }) => {
    const { prefix, of } = viewTables[table]
    return { id: wireId(prefix, id), of, name, q, filter: withWireId(filter) }
  })
}

/** Filters of proposals store the id of a contact without its prefix. */
function withWireId(filter: NamingView['filter']): NamingView['filter'] {
  const contactId = filter?.['contactId']
  return typeof contactId === 'string' ? { ...filter, contactId: wireId('ctc', contactId.slice(-36)) } : filter
}
