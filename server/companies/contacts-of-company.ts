import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { batchSize, changeBatch } from '../contacts/change-batch.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

interface OfCompany {
  companyId: string
}

/**
 * Takes a deleted company from its contacts, which belong to the company that it was merged into; or gives a restored one back to the
 * contacts that lost it.
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
    const company = await stateOf(trx, companyId)
    if (company === undefined) return 0
    const isDeleted = company.deleted_at !== null
    const matching = sql<boolean>`${sql.ref(isDeleted ? 'company_id' : 'former_company_id')} = ${companyId}`
    const linked = { company_id: companyId, former_company_id: null }
    return changeBatch(ctx, trx, matching, isDeleted ? await afterDeletion(trx, companyId, company.merged_into) : linked)
  })
}

/** Returns the companies of a contact whose company was deleted. A company that it was merged into can have been merged or deleted itself. */
async function afterDeletion(trx: Transaction, companyId: string, mergedInto: string | null) {
  let last = companyId
  for (let next = mergedInto; next !== null;) {
    const company = await stateOf(trx, next)
    if (company?.deleted_at === null) return { company_id: next, former_company_id: companyId }
    last = next
    next = company?.merged_into ?? null
  }
  return { company_id: null, former_company_id: last }
}

const stateOf = (trx: Transaction, id: string) =>
  trx.selectFrom('company').select(['deleted_at', 'merged_into']).where('id', '=', id).forShare().executeTakeFirst()
