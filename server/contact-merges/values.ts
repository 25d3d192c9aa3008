import { maxContactEntries, type ChoosableField, type ContactEmail, type ContactPhone, type PostalAddress } from '@groundwork/api'
import { isDeepStrictEqual } from 'node:util'
import { storedEntries } from '../contacts/entries.ts'
import { emailsOf, phonesOf, type ContactRow } from '../contacts/record.ts'

const maxTags = 50

interface OfCompany {
  readonly company: string | null
  readonly former: string | null
}

/** The values of a contact that a merge can change, by the names of the fields. They are stored as JSON. */
export interface Values {
  readonly externalId: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly jobTitle: string | null
  readonly address: PostalAddress | null
  readonly language: string | null
  readonly timeZone: string | null
  readonly ownerId: string | null
  readonly companyId: OfCompany | null
  readonly source: string | null
  readonly doNotContact: boolean
  readonly emails: readonly ContactEmail[]
  readonly phones: readonly ContactPhone[]
  readonly tags: readonly string[]
  readonly customFields: Readonly<Record<string, unknown>>
  readonly updatedAt: string
}

/** Whose value stays: that of the merged contact, or that of the survivor even if it has none. */
type Choice = 'merged' | 'own'
/** By the name of the field, such as `jobTitle` or `customFields.fld_…`. */
export type Choices = Readonly<Record<string, Choice>>

export interface Omitted {
  readonly field: 'emails' | 'phones' | 'tags'
  readonly value: string
}

export function valuesOf(row: ContactRow): Values {
  return {
    externalId: row.external_id,
    firstName: row.first_name,
    lastName: row.last_name,
    jobTitle: row.job_title,
    address: row.address,
    language: row.language,
    timeZone: row.time_zone,
    ownerId: row.owner_id,
    companyId:
      row.company_id === null && row.former_company_id === null ? null : { company: row.company_id, former: row.former_company_id },
    source: row.source,
    doNotContact: row.do_not_contact,
    emails: emailsOf(row),
    phones: phonesOf(row),
    tags: row.tags,
    customFields: row.custom_fields,
    updatedAt: row.updated_at.toISOString(),
  }
}

/** Returns the columns with the values. */
export const columnsOf = (values: Values) => ({
  external_id: values.externalId,
  first_name: values.firstName,
  last_name: values.lastName,
  job_title: values.jobTitle,
  address: values.address === null ? null : JSON.stringify(values.address),
  language: values.language,
  time_zone: values.timeZone,
  owner_id: values.ownerId,
  company_id: values.companyId?.company ?? null,
  former_company_id: values.companyId?.former ?? null,
  source: values.source,
  do_not_contact: values.doNotContact,
  email: values.emails[0]?.value ?? null,
  emails: storedEntries(values.emails),
  phone: values.phones[0]?.value ?? null,
  phones: storedEntries(values.phones),
  tags: [...values.tags],
  custom_fields: JSON.stringify(values.customFields),
  updated_at: new Date(values.updatedAt),
})

/** Returns the values of a contact after another one was merged into it, with those that do not fit into a list. */
export function combined(own: Values, merged: Values, choices: Choices): { values: Values; omitted: Omitted[] } {
  const pick = <F extends ChoosableField & keyof Values>(field: F): Values[F] => {
    if (choices[field] === 'merged') return merged[field]
    return choices[field] === 'own' ? own[field] : (own[field] ?? merged[field])
  }
  const isSameName = fitsName(own.firstName, merged.firstName) && fitsName(own.lastName, merged.lastName)
  const name = (field: 'firstName' | 'lastName'): string | null => (choices[field] === undefined && !isSameName ? own[field] : pick(field))
  const emails = joined(own.emails, merged.emails, choices['email'], ({ value }) => value)
  const phones = joined(own.phones, merged.phones, choices['phone'], ({ value, extension }) => `${value} ${extension ?? ''}`)
  const tags = joined(own.tags, merged.tags, undefined, (tag) => tag.toLowerCase())
  const lists = {
    emails: emails.slice(0, maxContactEntries),
    phones: phones.slice(0, maxContactEntries),
    tags: tags.slice(0, maxTags),
  }
  const values: Values = {
    externalId: pick('externalId'),
    firstName: name('firstName'),
    lastName: name('lastName'),
    jobTitle: pick('jobTitle'),
    address: pick('address'),
    language: pick('language'),
    timeZone: pick('timeZone'),
    ownerId: pick('ownerId'),
    companyId: pick('companyId'),
    source: pick('source'),
    doNotContact: own.doNotContact || merged.doNotContact,
    ...lists,
    customFields: joinedFields(own.customFields, merged.customFields, choices),
    updatedAt: own.updatedAt,
  }
  const omitted = [
    ...emails.slice(maxContactEntries).map(({ value }): Omitted => ({ field: 'emails', value })),
    ...phones.slice(maxContactEntries).map(({ value }): Omitted => ({ field: 'phones', value })),
    ...tags.slice(maxTags).map((value): Omitted => ({ field: 'tags', value })),
  ]
  return { values, omitted }
}

/** A first name is not completed by the last name of somebody else. */
const fitsName = (own: string | null, merged: string | null): boolean =>
  own === null || merged === null || own.toLowerCase() === merged.toLowerCase()

function joined<T>(own: readonly T[], merged: readonly T[], choice: Choice | undefined, keyOf: (value: T) => string): T[] {
  const all = choice === 'merged' ? [...merged, ...own] : [...own, ...merged]
  return [...new Map(all.toReversed().map((value) => [keyOf(value), value])).values()].toReversed()
}

function joinedFields(own: Values['customFields'], merged: Values['customFields'], choices: Choices) {
  const ids = [...new Set([...Object.keys(own), ...Object.keys(merged)])]
  const chosen = ids.map((id): [string, unknown] => {
    const choice = choices[`customFields.${id}`]
    if (choice === 'merged') return [id, merged[id]]
    return [id, choice === 'own' ? own[id] : (own[id] ?? merged[id])]
  })
  return Object.fromEntries(chosen.filter(([, value]) => value !== undefined))
}

/**
 * Applies the changes from one state of a contact to another state of it.
 * @returns the values, with the names of the changed fields
 */
export function withChanges(target: Values, before: Values, after: Values): { values: Values; changed: string[] } {
  const changed: string[] = []
  const scalar = <F extends keyof Values>(field: F): Values[F] => {
    if (isDeepStrictEqual(before[field], after[field])) return target[field]
    if (field !== 'updatedAt') changed.push(field)
    return after[field]
  }
  const list = <T>(field: string, of: readonly T[], from: readonly T[], to: readonly T[]): readonly T[] => {
    if (isDeepStrictEqual(from, to)) return of
    changed.push(field)
    // Without other changes, also the order of the list stays as it was changed.
    if (isDeepStrictEqual(of, from)) return to
    const has = (values: readonly T[], value: T): boolean => values.some((each) => isDeepStrictEqual(each, value))
    const left = of.filter((value) => !has(from, value) || has(to, value))
    return [...left, ...to.filter((value) => !has(from, value) && !has(left, value))]
  }
  const values: Values = {
    externalId: scalar('externalId'),
    firstName: scalar('firstName'),
    lastName: scalar('lastName'),
    jobTitle: scalar('jobTitle'),
    address: scalar('address'),
    language: scalar('language'),
    timeZone: scalar('timeZone'),
    ownerId: scalar('ownerId'),
    companyId: scalar('companyId'),
    source: scalar('source'),
    doNotContact: scalar('doNotContact'),
    emails: list('emails', target.emails, before.emails, after.emails),
    phones: list('phones', target.phones, before.phones, after.phones),
    tags: list('tags', target.tags, before.tags, after.tags),
    customFields: withChangedFields(target.customFields, before.customFields, after.customFields, changed),
    updatedAt: scalar('updatedAt'),
  }
  return { values, changed }
}

function withChangedFields(
  target: Values['customFields'],
  before: Values['customFields'],
  after: Values['customFields'],
  changed: string[],
): Values['customFields'] {
  const ids = new Set([before, after].flatMap((values) => Object.keys(values)))
  const differing = [...ids].filter((id) => !isDeepStrictEqual(before[id], after[id]))
  changed.push(...differing.map((id) => `customFields.${id}`))
  const changes = Object.fromEntries(differing.map((id) => [id, after[id]]))
  return Object.fromEntries(Object.entries({ ...target, ...changes }).filter(([, value]) => value !== undefined))
}
