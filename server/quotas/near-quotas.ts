import { nearQuotaShare, type NearQuota } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import { readUsage } from './usage.ts'

const resources = ['storageBytes', 'chunks', 'sources'] as const

/** Returns the quotas of which the organization uses at least 90 %. */
export async function nearQuotas(ctx: Context): Promise<NearQuota[]> {
  const usage = await withTransaction(ctx, readUsage)
  return resources.flatMap((resource) => {
    const { used, limit } = usage[resource]
    return limit !== null && used >= nearQuotaShare * limit ? [{ resource, used, limit }] : []
  })
}
