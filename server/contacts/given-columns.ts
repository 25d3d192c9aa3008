import type { Contact, ContactFields, ContactSuggestion, ContactWarning, PostalAddress, PostalAddressInput } from '@groundwork/api'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { countryQuery } from './country.ts'
import { entryChanges, hasNationalNumber } from './entries.ts'
import type { ContactRow } from './record.ts'

/** The columns of a contact without any value. */
export const noValues = {
  external_id: null,
  first_name: null,
  last_name: null,
  email: null,
  emails: null,
  phone: null,
  phones: null,
  job_title: null,
  address: null,
  language: null,
  time_zone: null,
  owner_id: null,
  do_not_contact: false,
  tags: [] as string[],
  source: null,
  company_id: null,
  former_company_id: null,
  custom_fields: '{}',
}

/**
 * Returns the columns of the fields that a request gives, with warnings about values that are probably wrong.
 * @param country of national phone numbers; null if unknown
 * @param options isUpsert adds addresses and numbers to those of the contact
 * @throws AppError `validation_error` for an invalid email address or phone number
 */
export function givenColumns(input: ContactFields, country: string | null, before?: ContactRow, { isUpsert = false } = {}) {
  const { changes, warnings } = entryChanges(input, { country, isUpsert }, before)
  const columns = {
    ...changes,
    ...(input.externalId !== undefined && { external_id: input.externalId }),
    ...(input.firstName !== undefined && { first_name: input.firstName }),
    ...(input.lastName !== undefined && { last_name: input.lastName }),
    ...(input.jobTitle !== undefined && { job_title: input.jobTitle }),
    ...(input.address !== undefined && { address: input.address === null ? null : storedAddress(input.address) }),
    ...(input.language !== undefined && { language: input.language }),
    ...(input.timeZone !== undefined && { time_zone: input.timeZone }),
    ...(input.ownerId !== undefined && { owner_id: input.ownerId }),
    ...(input.doNotContact !== undefined && { do_not_contact: input.doNotContact ?? false }),
    ...(input.tags !== undefined && { tags: input.tags ?? [] }),
    ...(input.source !== undefined && { source: input.source }),
    ...(input.companyId !== undefined && { company_id: input.companyId, former_company_id: null }),
  }
  return { columns, warnings }
}

/** Returns the JSON of an address; null without any part. */
function storedAddress({
  street = null,
  city = null,
  postalCode = null,
  region = null,
  country = null,
}: PostalAddressInput): string | null {
  const address: PostalAddress = { street, city, postalCode, region, country }
  return Object.values(address).every((part) => part === null) ? null : JSON.stringify(address)
}

export const withWarnings = <C extends Contact>(contact: C, warnings: ContactWarning[], suggestions: ContactSuggestion[] = []): C => ({
  ...contact,
  ...(warnings.length > 0 && { warnings }),
  ...(suggestions.length > 0 && { suggestions }),
})

/** Returns the organization's country if a request has a phone number in a national format. */
export async function countryFor(trx: Transaction, inputs: readonly ContactFields[]): Promise<string | null> {
  if (!inputs.some(hasNationalNumber)) return null
  return (await countryQuery(trx).executeTakeFirst())?.country ?? null
}

/**
 * Locks the membership, so that the trigger `contact_owner_left` sees the contact if the member leaves meanwhile; null needs none. Call it
 * before the transaction locks a contact: transactions with both lock the membership first.
 * @throws AppError `validation_error`, field `ownerId`, if there is no such member
 */
export async function requireMember(trx: Transaction, userId: string | null): Promise<void> {
  if (userId === null) return
  const member = await trx.selectFrom('membership').select('user_id').where('user_id', '=', userId).forKeyShare().executeTakeFirst()
  if (member === undefined) throw new AppError('validation_error', 'ownerId: there is no such member', { field: 'ownerId' })
}

/** @throws AppError `validation_error` if the contact has no email, phone or full name */
export function requireIdentity(contact: Pick<ContactRow, 'email' | 'phone' | 'first_name' | 'last_name'>): void {
  const named = contact.first_name !== null && contact.last_name !== null
  if (contact.email !== null || contact.phone !== null || named) return
  throw new AppError('validation_error', 'email is required unless the contact has a phone, or a firstName and a lastName', {
    field: 'email',
  })
}
