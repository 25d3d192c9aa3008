import type { Contact, CustomField } from '@groundwork/api'
import type { mergeMessages } from './messages.ts'

const choosable = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'jobTitle',
  'companyId',
  'address',
  'language',
  'timeZone',
  'ownerId',
  'source',
  'externalId',
] as const

const lists = ['emails', 'phones', 'tags'] as const

export interface ComparedField {
  /** The name in the API: `jobTitle`, or `customFields.fld_…`. */
  name: string
  label: string
  own: unknown
  other: unknown
  /** `choice`: one of two values stays; `both`: the values of a list are combined; `same`: nothing changes. */
  kind: 'choice' | 'both' | 'same'
}

/** Returns the fields in which at least one of the contacts has a value. */
export function comparedFields(
  own: Contact,
  other: Contact,
  customFields: readonly CustomField[],
  words: (typeof mergeMessages)['en'],
): ComparedField[] {
  const single = choosable.map((name) => field(name, words.fields[name], own[name], other[name]))
  const combined = lists.map((name): ComparedField => {
    const kind = JSON.stringify(valuesOf(own[name])) === JSON.stringify(valuesOf(other[name])) ? 'same' : 'both'
    return { name, label: words.fields[name], own: own[name], other: other[name], kind }
  })
  const ids = [...new Set([...Object.keys(own.customFields), ...Object.keys(other.customFields)])]
  const custom = ids.map((id) => {
    const label = customFields.find((each) => each.id === id)?.name ?? words.fields.customField
    return field(`customFields.${id}`, label, own.customFields[id], other.customFields[id])
  })
  // Both addresses and numbers are kept: the choice of the main one needs two.
  return [...single, ...combined, ...custom].filter(({ name, own: a, other: b }) =>
    name === 'email' || name === 'phone' ? !isEmpty(a) && !isEmpty(b) && a !== b : !isEmpty(a) || !isEmpty(b),
  )
}

function field(name: string, label: string, own: unknown, other: unknown): ComparedField {
  return { name, label, own, other, kind: JSON.stringify(own ?? null) === JSON.stringify(other ?? null) ? 'same' : 'choice' }
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const valuesOf = (list: readonly (string | { value: string })[]): string[] =>
  list.map((entry) => (typeof entry === 'string' ? entry : entry.value))

/** Returns the value of a field of a contact by its name in the API. */
export function valueOf(contact: Contact, name: string): unknown {
  const id = name.startsWith('customFields.') ? name.slice('customFields.'.length) : undefined
  return id === undefined ? (contact as unknown as Readonly<Record<string, unknown>>)[name] : contact.customFields[id]
}
