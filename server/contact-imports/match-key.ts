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

/** Returns the key of a row: of the field, or of the first that the row has; undefined if it has none. */
export function keyOf(values: RowValues, matchOn: MatchField | undefined): MatchKey | undefined {
  for (const field of matchOn === undefined ? matchFields : [matchOn]) {
    const [value] = valuesOf(values, field)
    if (value !== undefined) return key(field, value)
  }
  const { firstName, lastName } = values
  return matchOn !== undefined || firstName == null || lastName == null ? undefined : key('name', nameText(firstName, lastName))
}

const valuesOf = ({ externalId, emails, phones }: RowValues, field: MatchField): string[] =>
  field === 'externalId'
    ? externalId == null
      ? []
      : [externalId]
    : ((field === 'email' ? emails : phones) ?? []).map(({ value }) => value)

/** Returns the texts of all keys by which rows can mean the contact. */
export function keysOf(row: ContactRow): string[] {
  const { external_id, first_name, last_name } = row
  const keys = [
    ...(external_id === null ? [] : [key('externalId', external_id)]),
    ...emailsOf(row).map(({ value }) => key('email', value)),
    ...phonesOf(row).map(({ value }) => key('phone', value)),
  ]
  const isOnlyNamed = keys.length === 0 && first_name !== null && last_name !== null
  return (isOnlyNamed ? [key('name', nameText(first_name, last_name))] : keys).map(({ text }) => text)
}

/** Returns the texts of all keys of a row, by which later rows of the file can mean the same contact. */
export const keysInRow = (values: RowValues, own: MatchKey): string[] => [
  ...new Set([own.text, ...matchFields.flatMap((field) => valuesOf(values, field).map((value) => key(field, value).text))]),
]

/** Returns the addresses, numbers and the externalId of a row. */
export const identifyingInRow = (values: RowValues): ContactValue[] =>
  matchFields.flatMap((field) => valuesOf(values, field).map((value) => ({ field, value })))

export const externalKey = (externalId: string): string => key('externalId', externalId).text

const nameText = (first: string, last: string): string => `${first.toLowerCase()}\n${last.toLowerCase()}`
