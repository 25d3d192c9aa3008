import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { namesPerson } from '../db/names-person.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'
import { viewTables } from './views.ts'

/** Deletes the views whose name, search text or filter names a person. Returns their number. */
export async function eraseViews(trx: Transaction, terms: PersonalTerms): Promise<number> {
  let erased = 0
  for (const table of viewTables) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${namesPerson(sql`name`, terms)} or ${namesPerson(sql`coalesce(q, '')`, terms)}
        or exists (select from jsonb_path_query(filter, 'strict $.** ? (@.type() == "string")') as part
          where ${namesPerson(sql`part #>> '{}'`, terms)})`.execute(trx)
    erased += Number(numAffectedRows)
  }
  return erased
}
