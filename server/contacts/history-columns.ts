import type { Contact, HistoryField } from '@groundwork/api'
import { storedEntries } from './entries.ts'
import type { ContactRow } from './record.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns the public id without its prefix; null without one. */
export const rawId = (value: unknown): string | null => (typeof value === 'string' ? value.slice(-36) : null)

/** Returns the columns that store the values of a field as the history has them, so with email addresses as they were sent. */
const columnsOfField: Readonly<Record<string, (value: unknown) => Values>> = {
  externalId: (value) => ({ external_id: value }),
  firstName: (value) => ({ first_name: value }),
  lastName: (value) => ({ last_name: value }),
  emails: (value) => entryColumns('email', asEntries(value)),
  phones: (value) => entryColumns('phone', asEntries(value)),
  jobTitle: (value) => ({ job_title: value }),
  address: (value) => ({ address: value === null ? null : JSON.stringify(value) }),
  language: (value) => ({ language: value }),
  timeZone: (value) => ({ time_zone: value }),
  ownerId: (value) => ({ owner_id: rawId(value) }),
  doNotContact: (value) => ({ do_not_contact: value ?? false }),
  companyId: (value) => ({ company_id: rawId(value), former_company_id: null }),
  tags: (value) => ({ tags: value ?? [] }),
  source: (value) => ({ source: value }),
}

type Entries = Contact['emails'] | Contact['phones']

/** The history has only entries that a contact had. */
const asEntries = (value: unknown): Entries => (value ?? []) as Entries

const entryColumns = (name: 'email' | 'phone', entries: Entries): Values => ({
  [name]: entries[0]?.value ?? null,
  [`${name}s`]: storedEntries(entries),
})

const customField = 'customFields.'

/** Returns the columns of a contact that gets the values of a history. */
export function columnsOfValues(values: Values, before: Pick<ContactRow, 'custom_fields'>): Values {
  const columns: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) Object.assign(columns, columnsOfField[field]?.(value))
  const custom = customValuesOf(values)
  if (Object.keys(custom).length === 0) return columns
  const fields = Object.entries({ ...before.custom_fields, ...custom }).filter(([, value]) => value !== null)
  return { ...columns, custom_fields: JSON.stringify(Object.fromEntries(fields)) }
}

/** Returns the values of custom fields by the id of the field; null for those without one. */
export function customValuesOf(values: Values): Record<string, string | number | boolean | string[] | null> {
  const custom = Object.entries(values).filter(([field]) => field.startsWith(customField))
  return Object.fromEntries(custom.map(([field, value]) => [field.slice(customField.length), value])) as ReturnType<typeof customValuesOf>
}

export type FormerValues = Partial<Record<HistoryField, unknown>>
