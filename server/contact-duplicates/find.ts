import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import type { ComparedKind } from '../duplicates/find.ts'
import { likenessOf } from './confidence.ts'
import { keyTextsOf, matchValuesOf, valueKey, type MatchedColumns, type MatchValues } from './match-values.ts'

/** Contacts are compared if they share a number, an address, or a word of the name and a company. */
export const comparedContacts: ComparedKind<MatchValues> = {
  table: 'contact',
  plural: 'contacts',
  lock: 5,
  readValues,
  keyTextsOf,
  likenessOf: (a, b, countOf) => likenessOf(a, b, (value) => countOf(valueKey(value))),
}

async function readValues(trx: Transaction, ids: readonly string[]): Promise<Map<string, MatchValues>> {
  if (ids.length === 0) return new Map()
  const forms = (column: 'first_name' | 'last_name') => {
    const ref = sql.ref(`contact.${column}`)
    const [first, last] = column === 'first_name' ? [ref, sql`null`] : [sql`null`, ref]
    return sql`case when octet_length(${ref}) > length(${ref}) then to_jsonb(contact_name_forms(${first}, ${last})) end`
  }
  const { rows } = await sql<MatchedColumns>`
    select contact.id, first_name, last_name, email, emails, contact.phone, phones, contact.address, company.name as company_name,
      company.domains as company_domains,
      ${forms('first_name')} as first_forms, ${forms('last_name')} as last_forms
    from contact left join company on company.id = contact.company_id and company.deleted_at is null
    where contact.id = any (${ids}::uuid[]) and contact.deleted_at is null`.execute(trx)
  return new Map(rows.map((row) => [row.id, matchValuesOf(row)]))
}
