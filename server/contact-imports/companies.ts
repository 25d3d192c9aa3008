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

/** Ids of companies. */
interface CompanyIds {
  readonly byDomain: Map<string, string>
  /** By their names as searches compare them. */
  readonly byWords: Map<string, string>
}

const newCompanyIds = (): CompanyIds => ({ byDomain: new Map(), byWords: new Map() })

interface Named {
  readonly name: string
  /** As searches compare them. */
  readonly words: string
  readonly id: string | null
}

/** A dry run gives companies that it would create an id that no company has. */
export function companyResolver(dryRun: boolean): CompanyResolver {
  const imagined = newCompanyIds()
  let created = 0
  return {
    async resolve(ctx, trx, rows) {
      const names = [...new Set(rows.flatMap((row) => nameOf(row) ?? []))]
      const domains = [...new Set(rows.flatMap(({ companyDomain }) => companyDomain ?? []))]
      if (names.length === 0) return (row) => cleared(row)
      const { wordsOf, stored } = await findCompanies(trx, names, domains)
      // The database has the companies of the earlier batches of an import, but not those of a dry run.
      const createdIds = dryRun ? imagined : newCompanyIds()
      const added: CompanyRow[] = []
      const ids = new Map<RowValues, string>()
      for (const row of rows) {
        const name = nameOf(row)
        if (name === undefined) continue
        const [domain, words] = [row.companyDomain ?? '', wordsOf.get(name) ?? '']
        const found =
          stored.byDomain.get(domain) ?? createdIds.byDomain.get(domain) ?? stored.byWords.get(words) ?? createdIds.byWords.get(words)
        const id = found ?? newId(ctx.now().getTime())
        ids.set(row, id)
        if (found !== undefined) continue
        created += 1
        if (domain !== '') createdIds.byDomain.set(domain, id)
        if (words !== '') createdIds.byWords.set(words, id)
        if (!dryRun) added.push(newCompany(ctx, id, name, domain === '' ? null : domain))
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

/** Returns the name that the company of the row has or would get; undefined if the row names none. */
const nameOf = ({ companyName, companyDomain }: RowValues): string | undefined => companyName ?? companyDomain ?? undefined

/** Null if the row clears the company; undefined if it does not name one. */
const cleared = ({ companyName, companyDomain }: RowValues): null | undefined =>
  companyName === null || (companyName === undefined && companyDomain === null) ? null : undefined

/** Finds companies and keeps them from being deleted until the transaction ends. */
async function findCompanies(
  trx: Transaction,
  names: readonly string[],
  domains: readonly string[],
): Promise<{ wordsOf: ReadonlyMap<string, string>; stored: CompanyIds }> {
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
    stored: {
      byWords: new Map(
        named.flatMap(({ words, id }): [string, string][] => (id !== null && words !== '' && live.has(id) ? [[words, id]] : [])),
      ),
      byDomain: new Map(
        owned.flatMap(({ domain, company_id }): [string, string][] => (live.has(company_id) ? [[domain, company_id]] : [])),
      ),
    },
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
