import type { Organization } from '@groundwork/api'
import { changedFields } from '../../lib/changed-fields.ts'
import { messagesOf } from '../../messages/messages.ts'
import type { DraftFile } from '../../proposals/sections/draft-section.ts'
import { organizationMessages } from './messages.ts'

/** Values of the fields about new proposals. */
export interface ProposalDefaults {
  defaultTerms: string
  /** Empty without an expiry. */
  expiryDays: number | string
  logo: DraftFile | null
}

const defaultsOf = ({ defaultTerms, expiryDays, logo }: Organization): ProposalDefaults => ({
  defaultTerms: defaultTerms ?? '',
  expiryDays: expiryDays ?? '',
  logo: logo && { label: messagesOf(organizationMessages).logoSize(logo.width, logo.height), reference: { sha256: logo.sha256 } },
})

/** Returns the fields of a request. A logo that was not replaced is left out. */
const defaultsBody = ({ defaultTerms, expiryDays, logo }: ProposalDefaults) => ({
  defaultTerms: defaultTerms.trim() === '' ? null : defaultTerms,
  expiryDays: typeof expiryDays === 'number' ? expiryDays : null,
  ...(logo === null ? { logo } : 'storageUrl' in logo.reference && { logo: { storageUrl: logo.reference.storageUrl } }),
})

/** Returns the values of the form: empty text for null. */
export const valuesOf = (saved: Organization) => ({
  name: saved.name,
  slug: saved.slug,
  defaultCurrency: saved.defaultCurrency,
  legalName: saved.legalName ?? '',
  address: saved.address ?? '',
  taxId: saved.taxId ?? '',
  country: saved.country ?? '',
  color: saved.color ?? '',
  language: saved.language,
  timeZone: saved.timeZone,
  ...defaultsOf(saved),
  replyTo: saved.replyTo ?? '',
  reminderDays: saved.reminderDays.join(', '),
})
export type Values = ReturnType<typeof valuesOf>

/** Returns the request body with the fields that differ from those with which the form started. */
export const changesOf = (start: Values, values: Values) => changedFields(bodyOf(values), bodyOf(start))

function bodyOf(values: Values) {
  const { legalName, address, taxId, country, color, replyTo, reminderDays, logo: _logo, ...others } = values
  return {
    ...others,
    legalName: orNull(legalName),
    address: orNull(address),
    taxId: orNull(taxId),
    country: orNull(country),
    color: orNull(color),
    ...defaultsBody(values),
    replyTo: orNull(replyTo),
    reminderDays: reminderDays.split(/[\s,;]+/).flatMap((day) => (day === '' ? [] : [Number(day)])),
  }
}

const orNull = (value: string): string | null => (value.trim() === '' ? null : value)
