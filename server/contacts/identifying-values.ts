import type { MatchOn } from '@groundwork/api'
import { emailsOf, phonesOf, type ContactRow } from './record.ts'

/** A value by which upserts, imports and merges find contacts. */
export interface ContactValue {
  readonly field: MatchOn | 'name'
  readonly value: string
}

export type Identified = Pick<ContactRow, 'external_id' | 'email' | 'emails' | 'phone' | 'phones'>

/** Returns the addresses, numbers and the externalId of a contact. */
export const identifyingValues = (row: Identified): ContactValue[] => [
  ...emailsOf(row).map(({ value }) => ({ field: 'email' as const, value })),
  ...phonesOf(row).map(({ value }) => ({ field: 'phone' as const, value })),
  ...(row.external_id === null ? [] : [{ field: 'externalId' as const, value: row.external_id }]),
]
