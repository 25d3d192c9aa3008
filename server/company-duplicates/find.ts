import { sql } from 'kysely'
import type { Transaction } from '../db/schema.ts'
import type { ComparedKind } from '../duplicates/find.ts'
import { latinWordsOf, spellingsOf, wordsOf, type NameForm } from './company-name.ts'
import { likenessOf } from './confidence.ts'
import { keyTextsOf, matchValuesOf, type MatchValues } from './match-values.ts'

/** Companies are compared if they share a VAT id, a number, an address, the name of a domain, or the beginning or end of their names. */
export const comparedCompanies: ComparedKind<MatchValues> = {
  table: 'company',
  plural: 'companies',
  lock: 6,
  readValues,
  keyTextsOf,
  likenessOf,
}

async function readValues(trx: Transaction, ids: readonly string[]): Promise<Map<string, MatchValues>> {
  if (ids.length === 0) return new Map()
  const rows = await trx
    .selectFrom('company')
    .select(['id', 'name', 'domains', 'phone', 'address', 'vat_id'])
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  const names = await formsOf(trx, rows)
  return new Map(rows.map((row) => [row.id, matchValuesOf(row, names.get(row.id) ?? [])]))
}

/** Returns the forms of the names, by the id of the company. */
async function formsOf(trx: Transaction, companies: readonly { id: string; name: string }[]): Promise<Map<string, NameForm[]>> {
  const spellings = companies.flatMap(({ id, name }) =>
    spellingsOf(name).map((text, at) => ({ id, text, spelling: at === 0 ? 'typed' : 'umlauts' }) as const),
  )
  const { rows } = await sql<{ at: number; folded: string[]; latin: string[] }>`
    select at::integer, array_agg(word order by place) as folded, array_agg(contact_latin(word) order by place) as latin
    from unnest(${spellings.map(({ text }) => text)}::text[]) with ordinality as given (text, at),
      unnest(string_to_array(contact_fold(text), ' ')) with ordinality as words (word, place)
    group by at order by at`.execute(trx)
  const forms = new Map<string, NameForm[]>()
  for (const { at, folded, latin } of rows) {
    const spelling = spellings[at - 1]
    if (spelling === undefined) continue
    const known = forms.get(spelling.id) ?? []
    known.push({ words: wordsOf(folded), spelling: spelling.spelling })
    if (latin.join(' ') !== folded.join(' ')) known.push({ words: latinWordsOf(folded, latin), spelling: 'latin' })
    forms.set(spelling.id, known)
  }
  return forms
}
