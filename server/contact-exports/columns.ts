import { importFields, wireId, type Contact, type ContactPhone } from '@groundwork/api'
import { isDeepStrictEqual } from 'node:util'
import { guessField } from '../contact-imports/guess.ts'
import { cellOfTags } from '../contact-imports/tags-cell.ts'
import { convertValue, parseText } from '../custom-fields/convert-value.ts'
import type { CustomFieldRow } from '../custom-fields/record.ts'

export type ExportedContact = Contact & { readonly companyName: string | null; readonly companyDomain: string | null }

export interface Column {
  readonly name: string
  readonly value: (contact: ExportedContact) => string | number | null
}

/** The separator of several values in a cell, as in exports of Google. */
const separator = ':::'

/**
 * Columns with names that an import recognizes. The others have names that it ignores: an import takes `id` for the id of another
 * program.
 */
const columns: readonly Column[] = [
  { name: 'groundworkId', value: ({ id }) => id },
  { name: 'externalId', value: ({ externalId }) => externalId },
  { name: 'firstName', value: ({ firstName }) => firstName },
  { name: 'lastName', value: ({ lastName }) => lastName },
  { name: 'email', value: ({ emails }) => joined(emails.map(({ value }) => value)) },
  { name: 'emailLabel', value: ({ emails }) => labelsText(emails) },
  { name: 'phone', value: ({ phones }) => joined(phones.map(phoneText)) },
  { name: 'phoneLabel', value: ({ phones }) => labelsText(phones) },
  { name: 'jobTitle', value: ({ jobTitle }) => jobTitle },
  { name: 'companyName', value: ({ companyName }) => companyName },
  { name: 'companyDomain', value: ({ companyDomain }) => companyDomain },
  { name: 'street', value: ({ address }) => address?.street ?? null },
  { name: 'city', value: ({ address }) => address?.city ?? null },
  { name: 'postalCode', value: ({ address }) => address?.postalCode ?? null },
  { name: 'region', value: ({ address }) => address?.region ?? null },
  { name: 'country', value: ({ address }) => address?.country ?? null },
  { name: 'language', value: ({ language }) => language },
  { name: 'timeZone', value: ({ timeZone }) => timeZone },
  { name: 'doNotContact', value: ({ doNotContact }) => String(doNotContact) },
  { name: 'tags', value: ({ tags }) => cellOfTags(tags) },
  { name: 'source', value: ({ source }) => source },
  { name: 'consent.email', value: ({ consent }) => consent?.email ?? null },
  { name: 'consent.phone', value: ({ consent }) => consent?.phone ?? null },
  { name: 'consent.sms', value: ({ consent }) => consent?.sms ?? null },
  { name: 'consent.post', value: ({ consent }) => consent?.post ?? null },
  { name: 'ownerId', value: ({ ownerId }) => ownerId },
  { name: 'companyId', value: ({ companyId }) => companyId },
  { name: 'lastInteractionAt', value: ({ lastInteractionAt }) => lastInteractionAt },
  { name: 'createdAt', value: ({ createdAt }) => createdAt },
  { name: 'updatedAt', value: ({ updatedAt }) => updatedAt },
]

/** Returns all columns, those of custom fields last. */
export function columnsOf(fields: readonly CustomFieldRow[]): Column[] {
  const named = fields.map(({ id, name }) => ({ id: wireId('fld', id), name }))
  const ignored = (name: string): string => (guessField(name, named) === null ? name : `groundwork ${name}`)
  const headed = columns.map(({ name, value }) => ({ name: imported.has(name) ? name : ignored(name), value }))
  return [...headed, ...fields.map((field) => customColumn(field, named))]
}

const imported: ReadonlySet<string> = new Set(importFields)

/** The column has the name of the field, or its id if an import would not recognize the name. */
function customColumn(field: CustomFieldRow, named: readonly { id: string; name: string }[]): Column {
  const id = wireId('fld', field.id)
  return { name: guessField(field.name, named) === id ? field.name : id, value: ({ customFields }) => customCell(customFields[id], field) }
}

function customCell(value: unknown, field: CustomFieldRow): string | number | null {
  if (value === undefined || value === null) return null
  // An import reads no exponent.
  if (typeof value === 'number') return String(value).includes('e') ? decimals.format(value) : value
  const text = String(convertValue(value, field, { type: 'text', options: null }))
  // Labels of options, unless one could mean another option.
  if (isDeepStrictEqual(parseText(text, field), value)) return text
  return Array.isArray(value) ? value.join('; ') : text
}

const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 20, useGrouping: false })

const joined = (values: readonly string[]): string | null => (values.length === 0 ? null : values.join(separator))

const phoneText = ({ value, extension }: ContactPhone): string => (extension === null ? value : `${value} ext. ${extension}`)

/** Returns the labels of addresses or numbers in their order; null if none has one. */
const labelsText = (entries: readonly { readonly label: string | null }[]): string | null =>
  entries.some(({ label }) => label !== null) ? joined(entries.map(({ label }) => label ?? '')) : null
