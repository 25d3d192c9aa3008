import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import { namesPerson } from '../db/names-person.ts'
import type { PersonalTerms } from '../lib/personal-terms.ts'

/** Deletes the views whose name, search text or filter names a person. Returns their number. */
export async function eraseViews(trx: Transaction, terms: PersonalTerms): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from contact_view where ${namesPerson(sql`name`, terms)} or ${namesPerson(sql`coalesce(q, '')`, terms)}
      or exists (select from jsonb_path_query(filter, 'strict $.** ? (@.type() == "string")') as part
        where ${namesPerson(sql`part #>> '{}'`, terms)})`.execute(trx)
  return Number(numAffectedRows ?? 0)
}
