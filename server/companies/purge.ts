import { wireId } from '@groundwork/api'
import { audit } from '../audit/audit.ts'
import { withTransaction, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { restorableSeconds } from '../lib/restorable.ts'
import { enqueueWork, organizationWork } from '../work.ts'

interface PurgeCompany {
  companyId: string
  /** The time of the deletion, ISO 8601. A company that is restored and deleted again gets another job. */
  deletedAt: string
}

/** Removes a company that is still deleted. */
export const purgeCompanyWork = organizationWork<PurgeCompany>('purge-company', (ctx, { companyId, deletedAt }) =>
  withTransaction(ctx, async (trx) => {
    const purged = await trx
      .deleteFrom('company')
      .where('id', '=', companyId)
      .where('deleted_at', '=', new Date(deletedAt))
      .returning('id')
      .executeTakeFirst()
    if (purged !== undefined) await audit(ctx, trx, { action: 'company.purged', target: wireId('co', companyId) })
  }),
)

/** Queues the purge, in the transaction that deletes the company, for the end of the time in which it can be restored. */
export function enqueuePurge(ctx: Context, trx: Transaction, companyId: string, deletedAt: Date): Promise<void> {
  const data = { companyId, deletedAt: deletedAt.toISOString() }
  return enqueueWork(ctx, trx, purgeCompanyWork, data, { delaySeconds: restorableSeconds })
}
