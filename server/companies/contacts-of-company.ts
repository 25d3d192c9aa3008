import { sql } from 'kysely'
import { withTransaction, type Context } from '../context.ts'
import { toContact } from '../contacts/record.ts'
import type { Transaction } from '../db/schema.ts'
import { emitMany } from '../events/emit.ts'
import { enqueueWork, organizationWork } from '../work.ts'

interface OfCompany {
  companyId: string
}

/** Contacts per transaction. Other events of the organization wait while one writes its events. */
const batchSize = 500

/** Takes a deleted company from its contacts, or gives a restored one back to the contacts that lost it. */
export const linkContactsWork = organizationWork<OfCompany>('link-contacts-of-company', async (ctx, { companyId }) => {
  while ((await linkSome(ctx, companyId)) === batchSize);
})

/** Queues the change of the contacts, in the transaction that deletes or restores their company. */
export const enqueueLinking = (ctx: Context, trx: Transaction, companyId: string): Promise<void> =>
  enqueueWork(ctx, trx, linkContactsWork, { companyId })

/** Returns the number of changed contacts. Deleted contacts change without an event. */
function linkSome(ctx: Context, companyId: string): Promise<number> {
  return withTransaction(ctx, async (trx) => {
    const company = await trx.selectFrom('company').select('deleted_at').where('id', '=', companyId).forShare().executeTakeFirst()
    if (company === undefined) return 0
    const isDeleted = company.deleted_at !== null
    const lost = { company_id: null, former_company_id: companyId }
    const linked = { company_id: companyId, former_company_id: null }
    // A subquery of the update could run again for each row, and exceed the limit.
    const chosen = await trx
      .selectFrom('contact')
      .select('id')
      .where(isDeleted ? 'company_id' : 'former_company_id', '=', companyId)
      .orderBy('id')
      .limit(batchSize)
      .forUpdate()
      .execute()
    const ids = chosen.map(({ id }) => id)
    const rows = await trx
      .updateTable('contact')
      .set({ ...(isDeleted ? lost : linked), updated_at: ctx.now() })
      .where(sql<boolean>`id = any (${ids}::uuid[])`)
      .returningAll()
      .execute()
    const shown = rows.filter(({ deleted_at }) => deleted_at === null)
    await emitMany(ctx, trx, 'contact.updated', shown.map(toContact))
    return rows.length
  })
}
