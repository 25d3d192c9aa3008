import {
  lowerTag,
  maxContactEntries,
  maxTags,
  type ChoosableField,
  type ContactEmail,
  type ContactPhone,
  type PostalAddress,
} from '@groundwork/api'
import { isDeepStrictEqual } from 'node:util'
import { storedEntries } from '../contacts/entries.ts'
import { requireIdentity } from '../contacts/given-columns.ts'
import { emailsOf, phonesOf, type ContactRow } from '../contacts/record.ts'
import { refusedOr } from '../lib/errors.ts'
import { createChanges, joinedLists, joinedFields, pick, type Choices } from '../lib/merging.ts'

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
  const picked = <F extends ChoosableField & keyof Values>(field: F): Values[F] => pick(own[field], merged[field], choices[field])
  const isSameName = fitsName(own.firstName, merged.firstName) && fitsName(own.lastName, merged.lastName)
  const name = (field: 'firstName' | 'lastName'): string | null =>
    choices[field] === undefined && !isSameName ? own[field] : picked(field)
  const max = maxContactEntries
  const emails = joinedLists(own.emails, merged.emails, { keyOf: ({ value }) => value, max, choice: choices['email'] })
  const numberOf = ({ value, extension }: ContactPhone): string => `${value} ${extension ?? ''}`
  const phones = joinedLists(own.phones, merged.phones, { keyOf: numberOf, max, choice: choices['phone'] })
  const tags = joinedLists(own.tags, merged.tags, { keyOf: lowerTag, max: maxTags })
  const values: Values = {
    externalId: picked('externalId'),
    firstName: name('firstName'),
    lastName: name('lastName'),
    jobTitle: picked('jobTitle'),
    address: picked('address'),
    language: picked('language'),
    timeZone: picked('timeZone'),
    ownerId: picked('ownerId'),
    companyId: picked('companyId'),
    source: picked('source'),
    doNotContact: own.doNotContact || merged.doNotContact,
    emails: emails.values,
    phones: phones.values,
    tags: tags.values,
    customFields: joinedFields(own.customFields, merged.customFields, choices),
    updatedAt: own.updatedAt,
  }
  const omitted = [
    ...emails.omitted.map(({ value }): Omitted => ({ field: 'emails', value })),
    ...phones.omitted.map(({ value }): Omitted => ({ field: 'phones', value })),
    ...tags.omitted.map((value): Omitted => ({ field: 'tags', value })),
  ]
  return { values, omitted }
}

/** A first name is not completed by the last name of somebody else. */
const fitsName = (own: string | null, merged: string | null): boolean =>
  own === null || merged === null || own.toLowerCase() === merged.toLowerCase()

/**
 * Applies the changes from one state of a contact to another state of it.
 * @returns the values, with the names of the changed fields
 */
export function withChanges(target: Values, before: Values, after: Values): { values: Values; changed: string[] } {
  const changes = createChanges()
  const scalar = <F extends keyof Values>(field: F): Values[F] => changes.scalar(field, target[field], before[field], after[field])
  const entries = <F extends 'emails' | 'phones'>(field: F) =>
    changes.entries<Values[F][number]>(field, target[field], before[field], after[field])
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
    emails: entries('emails'),
    phones: entries('phones'),
    tags: changes.list('tags', target.tags, before.tags, after.tags),
    customFields: changes.customFields(target.customFields, before.customFields, after.customFields),
    updatedAt: scalar('updatedAt'),
  }
  return { values, changed: changes.changed.filter((field) => field !== 'updatedAt') }
}

const identityFields = ['emails', 'phones', 'firstName', 'lastName'] as const

/**
 * Returns the values with the present addresses, numbers and name if the contact would have no email, phone or full name, and the names of
 * the fields that differ for this reason.
 */
export function withIdentity(values: Values, present: Values): { values: Values; kept: string[] } {
  if (refusedOr(() => requireIdentity(columnsOf(values))) === undefined) return { values, kept: [] }
  const { emails, phones, firstName, lastName } = present
  return {
    values: { ...values, emails, phones, firstName, lastName },
    kept: identityFields.filter((field) => !isDeepStrictEqual(values[field], present[field])),
  }
}
