import { select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'

/** Selects the country of the organization. Row-level security shows the own organization only. */
export const countryQuery = (db: Pick<Transaction, 'selectFrom'>) => db.selectFrom('organization').select('country')

/** Returns the country of national phone numbers of the organization: ISO 3166-1 alpha-2; null if unknown. */
export async function organizationCountry(ctx: Context): Promise<string | null> {
  const [organization] = await select(ctx, countryQuery)
  return organization?.country ?? null
}
