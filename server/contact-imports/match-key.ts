import type { ContactValue } from '../contacts/identifying-values.ts'
import { emailsOf, phonesOf, type ContactRow } from '../contacts/record.ts'
import type { RowValues } from './parse-row.ts'

export const matchFields = ['externalId', 'email', 'phone'] as const
export type MatchField = (typeof matchFields)[number]

/** What identifies the contact of a row: the value of a field, or the full name. */
export interface MatchKey {
  readonly field: MatchField | 'name'
  readonly value: string
  /** Field and value. */
  readonly text: string
}

const key = (field: MatchKey['field'], value: string): MatchKey => ({ field, value, text: `${field} ${value}` })

/** Returns the field as errors name it; null for the full name, which two fields have. */
export const fieldOf = ({ field }: MatchKey): MatchField | null => (field === 'name' ? null : field)

/**
 * Returns the keys of a row; none if it has no value that identifies a contact. The first key by which a contact is found decides. By default,
 * these are the externalId and the email address, without one the phone number; rows without any of them have their full name.
 */
export function keysOfRow(values: RowValues, matchOn: MatchField | undefined): readonly MatchKey[] {
  if (matchOn !== undefined) return firstKey(values, matchOn)
  const email = firstKey(values, 'email')
  const keys = [...externalIdKey(values), ...(email.length > 0 ? email : firstKey(values, 'phone'))]
  const { firstName, lastName } = values
  return keys.length > 0 || firstName == null || lastName == null ? keys : [key('name', nameText(firstName, lastName))]
}

const firstKey = (values: RowValues, field: MatchField): MatchKey[] =>
  valuesOf(values, field)
    .slice(0, 1)
    .map((value) => key(field, value))

/** Returns the key of the externalId; none without one. */
export const externalIdKey = (values: RowValues): MatchKey[] => firstKey(values, 'externalId')

const valuesOf = ({ externalId, emails, phones }: RowValues, field: MatchField): string[] =>
  field === 'externalId'
    ? externalId == null
      ? []
      : [externalId]
    : ((field === 'email' ? emails : phones) ?? []).map(({ value }) => value)

/** Returns all keys by which rows can mean the contact. */
export function keysOfContact(row: ContactRow): MatchKey[] {
  const { external_id, first_name, last_name } = row
  const keys = [
    ...(external_id === null ? [] : [key('externalId', external_id)]),
    ...emailsOf(row).map(({ value }) => key('email', value)),
    ...phonesOf(row).map(({ value }) => key('phone', value)),
  ]
  const isOnlyNamed = keys.length === 0 && first_name !== null && last_name !== null
  return isOnlyNamed ? [key('name', nameText(first_name, last_name))] : keys
}

/** Returns the texts of all keys of a row, by which later rows of the file can mean the same contact. */
export const keysInRow = (values: RowValues, own: readonly MatchKey[]): string[] => [
  ...new Set([...own.map(({ text }) => text), ...identifyingInRow(values).map(({ field, value }) => key(field, value).text)]),
]

/** Returns the addresses, numbers and the externalId of a row. */
export const identifyingInRow = (values: RowValues): ContactValue[] =>
  matchFields.flatMap((field) => valuesOf(values, field).map((value) => ({ field, value })))

const nameText = (first: string, last: string): string => `${first.toLowerCase()}\n${last.toLowerCase()}`
