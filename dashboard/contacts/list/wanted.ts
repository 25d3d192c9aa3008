import type { BulkFields } from '@groundwork/api'
import { addressOf, type AddressValues } from '../address-inputs.tsx'
import { consentBody, newConsent, type ConsentValues } from '../consent-values.ts'
import type { Change } from './bulk.ts'

export type Action = 'addTags' | 'removeTags' | 'assign' | 'set' | 'consent' | 'delete'

/** Fields that a bulk change can set, apart from custom fields. */
export const plainFields = ['jobTitle', 'companyId', 'ownerId', 'language', 'timeZone', 'address', 'source', 'doNotContact'] as const
export type PlainField = (typeof plainFields)[number]

/** The start of the name of a custom field, before its id. */
export const customPrefix = 'customFields.'

export type FieldValue = string | number | boolean | string[] | AddressValues

/** What is entered into the dialog of a bulk change. */
export interface Wanted {
  tags: string[]
  /** The text of a tag that is not complete. */
  tag: string
  /** The name of the field to set; null if none is chosen. */
  field: string | null
  /** null if no value is entered. */
  value: FieldValue | null
  /** Whether the field loses its value. */
  clears: boolean
  consent: ConsentValues
}

export const nothingWanted = (action: Action): Wanted => ({
  tags: [],
  tag: '',
  field: action === 'assign' ? 'ownerId' : null,
  value: null,
  clears: false,
  consent: newConsent,
})

/** Returns the change that was entered; null if it is not complete. */
export function changeOf(action: Action, { tags, field, value, clears, consent }: Wanted): Change | null {
  if (action === 'delete') return { delete: true }
  if (action === 'consent') return { recordConsent: consentBody(consent) }
  if (action === 'addTags') return tags.length === 0 ? null : { addTags: tags }
  if (action === 'removeTags') return tags.length === 0 ? null : { removeTags: tags }
  const sent = clears ? null : sentValue(value)
  if (field === null || (sent === null && !clears)) return null
  return { set: fieldsOf(field, sent) }
}

/** Names a value as the API does. The input of each field gives a value of its type, and the API checks it. */
const fieldsOf = (field: string, value: unknown): BulkFields =>
  field.startsWith(customPrefix)
    ? { customFields: { [field.slice(customPrefix.length)]: value } as BulkFields['customFields'] }
    : { [field]: value }

/** Returns the value as the API takes it; null for an empty one. */
function sentValue(value: FieldValue | null): unknown {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? addressOf(value) : value
}
