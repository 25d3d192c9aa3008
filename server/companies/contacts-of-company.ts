import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { batchSize, changeBatch } from '../contacts/change-batch.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'
import type { CompanyRow } from './record.ts'

interface OfCompany {
  companyId: string
}

/**
 * Takes a deleted company from its contacts, which belong to the company that it was merged into; or gives a restored one back to the
 * contacts that lost it. A contact remembers its own company (`former_company_id`) through a chain of merges, so that undoing one after the
 * other gives it back.
 */
export const linkContactsWork = organizationWork<OfCompany>('link-contacts-of-company', async (ctx, { companyId }) => {
  while ((await linkSome(ctx, companyId)) === batchSize);
})

/** Queues the change of the contacts, in the transaction that deletes, restores or merges their company. */
export const enqueueLinking = (ctx: Context, trx: Transaction, companyId: string): Promise<void> =>
  enqueueWork(ctx, trx, linkContactsWork, { companyId })

/** Returns the number of changed contacts. */
function linkSome(ctx: Context, companyId: string): Promise<number> {
  return withTransaction(ctx, async (trx) => {
    const companies = await lockChain(trx, companyId)
    const company = companies.get(companyId)
    if (company === undefined) return 0
    const { deleted_at, merged_ids, merged_into } = company
    const former = sql<string | null>`case when former_company_id = any (${merged_ids}::uuid[]) then former_company_id end`
    if (deleted_at !== null) {
      const own = sql<string>`coalesce(${former}, ${companyId}::uuid)`
      const changes = { company_id: await liveSurvivor(trx, companies, merged_into), former_company_id: own }
      return changeBatch(ctx, trx, sql<boolean>`company_id = ${companyId}::uuid`, changes)
    }
    const lost = sql<boolean>`former_company_id = any (${[companyId, ...merged_ids]}::uuid[]) and company_id is distinct from ${companyId}::uuid`
    return changeBatch(ctx, trx, lost, { company_id: companyId, former_company_id: former })
  })
}

type Company = Pick<CompanyRow, 'id' | 'deleted_at' | 'merged_into' | 'merged_ids'>

/** Locks a company and those that it was merged into, also indirectly, in the order of their ids, as merges do. */
async function lockChain(trx: Transaction, companyId: string): Promise<ReadonlyMap<string, Company>> {
  const chain = sql<boolean>`id in (
    with recursive chain as (
      select id, merged_into from company where id = ${companyId}::uuid
      union select next.id, next.merged_into from company as next, chain where next.id = chain.merged_into
    )
    select id from chain)`
  const rows = await locked(trx).where(chain).orderBy('id').execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the company in which a merged company is now; null if that one is deleted. */
async function liveSurvivor(trx: Transaction, companies: ReadonlyMap<string, Company>, mergedInto: string | null): Promise<string | null> {
  for (let next = mergedInto; next !== null;) {
    // Before the companies were locked, the last of them could be merged into another one.
    const company = companies.get(next) ?? (await locked(trx).where('id', '=', next).executeTakeFirst())
    if (company?.deleted_at === null) return next
    next = company?.merged_into ?? null
  }
  return null
}

const locked = (trx: Transaction) => trx.selectFrom('company').select(['id', 'deleted_at', 'merged_into', 'merged_ids']).forShare()
