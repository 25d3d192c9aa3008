import { lowerTag, maxDomains, maxTags, type ChoosableCompanyField, type MergedCompany } from '@groundwork/api'
import { createChanges, joinedLists, joinedFields, pick, type Choices } from '../lib/merging.ts'
import type { CompanyRow } from './record.ts'

/** The values of a company that a merge can change, by the names of the fields. They are stored as JSON. */
export interface CompanyValues {
  readonly externalId: string | null
  readonly name: string
  readonly domains: readonly string[]
  readonly phone: string | null
  readonly address: CompanyRow['address']
  readonly vatId: string | null
  readonly tags: readonly string[]
  readonly customFields: Readonly<Record<string, unknown>>
}

export const valuesOf = (row: CompanyRow): CompanyValues => ({
  externalId: row.external_id,
  name: row.name,
  domains: row.domains,
  phone: row.phone,
  address: row.address,
  vatId: row.vat_id,
  tags: row.tags,
  customFields: row.custom_fields,
})

/** Returns the columns with the values. */
export const columnsOf = (values: CompanyValues) => ({
  external_id: values.externalId,
  name: values.name,
  domains: [...values.domains],
  phone: values.phone,
  address: values.address === null ? null : JSON.stringify(values.address),
  vat_id: values.vatId,
  tags: [...values.tags],
  custom_fields: JSON.stringify(values.customFields),
})

/** Returns the values of a company after another one was merged into it, with those that do not fit into a list. */
export function combined(
  own: CompanyValues,
  merged: CompanyValues,
  choices: Choices,
): { values: CompanyValues; omitted: MergedCompany['omitted'] } {
  const picked = <F extends ChoosableCompanyField>(field: F): CompanyValues[F] => pick(own[field], merged[field], choices[field])
  const domains = joinedLists(own.domains, merged.domains, { keyOf: (domain) => domain, max: maxDomains })
  const tags = joinedLists(own.tags, merged.tags, { keyOf: lowerTag, max: maxTags })
  const values: CompanyValues = {
    externalId: picked('externalId'),
    name: picked('name'),
    domains: domains.values,
    phone: picked('phone'),
    address: picked('address'),
    vatId: picked('vatId'),
    tags: tags.values,
    customFields: joinedFields(own.customFields, merged.customFields, choices),
  }
  const omitted: MergedCompany['omitted'] = [
    ...domains.omitted.map((value) => ({ field: 'domains' as const, value })),
    ...tags.omitted.map((value) => ({ field: 'tags' as const, value })),
  ]
  return { values, omitted }
}

/**
 * Applies the changes from one state of a company to another state of it.
 * @returns the values, with the names of the changed fields
 */
export function withChanges(
  target: CompanyValues,
  before: CompanyValues,
  after: CompanyValues,
): { values: CompanyValues; changed: string[] } {
  const changes = createChanges()
  const scalar = <F extends ChoosableCompanyField>(field: F): CompanyValues[F] =>
    changes.scalar(field, target[field], before[field], after[field])
  const list = (field: 'domains' | 'tags') => changes.list(field, target[field], before[field], after[field])
  const values: CompanyValues = {
    externalId: scalar('externalId'),
    name: scalar('name'),
    domains: list('domains'),
    phone: scalar('phone'),
    address: scalar('address'),
    vatId: scalar('vatId'),
    tags: list('tags'),
    customFields: changes.customFields(target.customFields, before.customFields, after.customFields),
  }
  return { values, changed: changes.changed }
}
