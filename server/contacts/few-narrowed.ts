import type { Context } from '../context.ts'
import { recordsOf, type Narrowing } from './contacts-in-order.ts'
import { contactsWithFacets } from './facets.ts'
import { areOfTags, contactsOfRecords, fewCompanies } from './related.ts'

/** Records whose contacts are collected to count or rank. */
const maxRecords = 2500

/** Returns contacts among which those that match are, if they are few; undefined otherwise. */
export async function fewNarrowed(ctx: Context, narrowing: Pick<Narrowing, 'facets' | 'related'>): Promise<string[] | undefined> {
  const related = recordsOf(narrowing, true)
  for (const records of [...related, ...(await fewCompanies(ctx, narrowing.related ?? [], maxRecords))]) {
    const ids = await contactsOfRecords(ctx, records, maxRecords)
    if (ids !== undefined) return ids
  }
  const haveRecords = narrowing.facets.length === related.filter(areOfTags).length
  return haveRecords ? undefined : contactsWithFacets(ctx, narrowing.facets)
}
