import type { CreateProposal, ProposalSection } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { OrganizationTable, Transaction } from '../db/schema.ts'
import { toDate } from './checks.ts'
import { endOfDay } from './mail/add-days.ts'

/** Settings of the organization for fields that a new proposal leaves out, and for its reminders. */
type Defaults = Pick<Selectable<OrganizationTable>, 'currency' | 'time_zone' | 'default_terms' | 'expiry_days' | 'reminder_days'>

export const readDefaults = (trx: Transaction): Promise<Defaults> =>
  trx
    .selectFrom('organization')
    .select(['currency', 'time_zone', 'default_terms', 'expiry_days', 'reminder_days'])
    .executeTakeFirstOrThrow()

/**
 * Returns fields of a new proposal with their defaults. Null is a value: it means no expiry, or no sections.
 * @param sections the prepared sections of the proposal
 */
export function withDefaults(
  { currency, expiresAt, sections: given }: Pick<CreateProposal, 'currency' | 'expiresAt' | 'sections'>,
  sections: readonly ProposalSection[],
  { currency: defaultCurrency, time_zone, default_terms, expiry_days }: Omit<Defaults, 'reminder_days'>,
  now: Date,
): { currency: string; expiresAt: Date | null; sections: readonly ProposalSection[] } {
  return {
    currency: currency ?? defaultCurrency,
    expiresAt: expiresAt === undefined && expiry_days !== null ? endOfDay(now, expiry_days, time_zone) : toDate(expiresAt),
    sections: given === undefined && default_terms !== null ? withTerms(default_terms) : sections,
  }
}

const withTerms = (text: string): ProposalSection[] => [{ type: 'items' }, { type: 'terms', text }]
