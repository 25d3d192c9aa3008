import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { batchSize, changeBatch } from '../contacts/change-batch.ts'
import type { Transaction } from '../db/schema.ts'
import { enqueueWork, organizationWork } from '../work.ts'

interface OfCompany {
  companyId: string
}

/** Takes a deleted company from its contacts, or gives a restored one back to the contacts that lost it. */
export const linkContactsWork = organizationWork<OfCompany>('link-contacts-of-company', async (ctx, { companyId }) => {
  while ((await linkSome(ctx, companyId)) === batchSize);
})

/** Queues the change of the contacts, in the transaction that deletes or restores their company. */
export const enqueueLinking = (ctx: Context, trx: Transaction, companyId: string): Promise<void> =>
  enqueueWork(ctx, trx, linkContactsWork, { companyId })

/** Returns the number of changed contacts. */
function linkSome(ctx: Context, companyId: string): Promise<number> {
  return withTransaction(ctx, async (trx) => {
    const company = await trx.selectFrom('company').select('deleted_at').where('id', '=', companyId).forShare().executeTakeFirst()
    if (company === undefined) return 0
    const isDeleted = company.deleted_at !== null
    const matching = sql<boolean>`${sql.ref(isDeleted ? 'company_id' : 'former_company_id')} = ${companyId}`
    const lost = { company_id: null, former_company_id: companyId }
    const linked = { company_id: companyId, former_company_id: null }
    return changeBatch(ctx, trx, matching, isDeleted ? lost : linked)
  })
}
