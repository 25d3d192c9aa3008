import { sql } from 'kysely'
import { claimDomains } from '../companies/companies.ts'
import type { Context } from '../context.ts'
import { toCompany, type CompanyRow } from '../companies/record.ts'
import type { Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { newId } from '../lib/ids.ts'
import type { RowValues } from './parse-row.ts'

/** Finds and creates the companies of rows. */
export interface CompanyResolver {
  /** Returns a function that returns the company's id for a row; undefined if the row names none. */
  resolve(ctx: Context, trx: Transaction, rows: readonly RowValues[]): Promise<(row: RowValues) => string | null | undefined>
  /** Number of companies that were created, or would be, since the last call. */
  takeCreated(): number
}

interface Named {
  readonly name: string
  /** As searches compare them. */
  readonly words: string
  readonly id: string | null
}

/** A dry run gives companies that it would create an id that no company has. */
export function companyResolver(dryRun: boolean): CompanyResolver {
  const imagined = new Map<string, string>()
  let created = 0
  return {
    async resolve(ctx, trx, rows) {
      const names = [...new Set(rows.flatMap(({ companyName }) => companyName ?? []))]
      const domains = [...new Set(rows.flatMap(({ companyDomain }) => companyDomain ?? []))]
      if (names.length === 0 && domains.length === 0) return (row) => cleared(row)
      const { byWords, wordsOf, byDomain } = await findCompanies(trx, names, domains)
      const added: CompanyRow[] = []
      const find = ({ companyName, companyDomain }: RowValues): string | undefined => {
        const words = wordsOf.get(companyName ?? '') ?? ''
        const known = byDomain.get(companyDomain ?? '') ?? byWords.get(words)
        return known ?? imagined.get(`domain ${companyDomain}`) ?? (words === '' ? undefined : imagined.get(`words ${words}`))
      }
      const ids = new Map<RowValues, string>()
      for (const row of rows) {
        const { companyName, companyDomain } = row
        const name = companyName ?? companyDomain ?? undefined
        if (name === undefined) continue
        const found = find(row)
        const id = found ?? newId(ctx.now().getTime())
        ids.set(row, id)
        if (found !== undefined) continue
        created += 1
        const words = wordsOf.get(companyName ?? '') ?? ''
        if (dryRun) {
          if (companyDomain) imagined.set(`domain ${companyDomain}`, id)
          if (words !== '') imagined.set(`words ${words}`, id)
          continue
        }
        if (companyDomain) byDomain.set(companyDomain, id)
        if (words !== '') byWords.set(words, id)
        added.push(newCompany(ctx, id, name, companyDomain ?? null))
      }
      await addCompanies(ctx, trx, added)
      return (row) => ids.get(row) ?? cleared(row)
    },
    takeCreated() {
      const count = created
      created = 0
      return count
    },
  }
}

/** Null if the row clears the company; undefined if it does not name one. */
const cleared = ({ companyName, companyDomain }: RowValues): null | undefined =>
  companyName === null || (companyName === undefined && companyDomain === null) ? null : undefined

/** Finds companies and keeps them from being deleted until the transaction ends. */
async function findCompanies(trx: Transaction, names: readonly string[], domains: readonly string[]) {
  const { rows: named } = await sql<Named>`
    select given.name, given.words, (select id from company where search_text = ' ' || given.words || ' ' and deleted_at is null
      order by created_at, id limit 1) as id
    from (select name, contact_words(name) as words from unnest(${names}::text[]) as name) as given`.execute(trx)
  const { rows: owned } = await sql<{ domain: string; company_id: string }>`
    select domain, company_id from company_domain where domain = any (${domains}::text[])`.execute(trx)
  const ids = [...new Set([...named.flatMap(({ id }) => id ?? []), ...owned.map((each) => each.company_id)])]
  const locked =
    ids.length === 0
      ? []
      : await trx
          .selectFrom('company')
          .select('id')
          .where('id', 'in', ids)
          .where('deleted_at', 'is', null)
          .orderBy('id')
          .forShare()
          .execute()
  const live = new Set(locked.map(({ id }) => id))
  return {
    wordsOf: new Map(named.map(({ name, words }) => [name, words])),
    byWords: new Map(
      named.flatMap(({ words, id }): [string, string][] => (id !== null && words !== '' && live.has(id) ? [[words, id]] : [])),
    ),
    byDomain: new Map(owned.flatMap(({ domain, company_id }): [string, string][] => (live.has(company_id) ? [[domain, company_id]] : []))),
  }
}

const newCompany = (ctx: Context, id: string, name: string, domain: string | null): CompanyRow => ({
  organization_id: ctx.organizationId,
  id,
  external_id: null,
  name,
  domains: domain === null ? [] : [domain],
  phone: null,
  address: null,
  vat_id: null,
  tags: [],
  custom_fields: {},
  created_at: ctx.now(),
  updated_at: ctx.now(),
  deleted_at: null,
  search_text: '',
  merged_ids: [],
  merged_into: null,
  merged_values: null,
})

async function addCompanies(ctx: Context, trx: Transaction, companies: readonly CompanyRow[]): Promise<void> {
  if (companies.length === 0) return
  const rows = companies.map(({ search_text: _text, address: _address, custom_fields: _fields, merged_values: _values, ...row }) => ({
    ...row,
    custom_fields: '{}',
  }))
  await trx.insertInto('company').values(rows).execute()
  await claimDomains(ctx, trx, companies)
  await emitMany(ctx, trx, 'company.created', companies.map(toCompany))
}
