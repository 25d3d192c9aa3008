import type { Contact } from '@groundwork/api'
import { useQueries, useQuery } from '@tanstack/react-query'
import { actorChoicesQuery } from '../lib/choices.ts'
import { nameOfCode } from '../lib/code-names.ts'
import { companyQuery } from '../lib/company.ts'
import { customFieldsQuery, customText } from '../lib/custom-fields.ts'
import { useWorkspace, type Workspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { contactMessages } from './messages.ts'

/** Returns the lines of a postal address. */
export function addressLines(address: NonNullable<Contact['address']>): string[] {
  const { street, postalCode, city, region, country } = address
  const place = [postalCode, city].filter((part) => part !== null).join(' ')
  return [street, place === '' ? null : place, region, country === null ? null : nameOfCode('region', country)].filter(
    (line) => line !== null,
  )
}

/** Returns a function that shows values of fields, with the names of members, companies and custom fields. */
export function useValueText(companyIds: readonly (string | null)[]): (field: string, value: unknown) => string {
  const workspace = useWorkspace()
  const { yes, no } = useMessages(contactMessages)
  const { data: actors } = useQuery(actorChoicesQuery(workspace))
  const { data: customFields = [] } = useQuery(customFieldsQuery(workspace, 'contact'))
  const companies = useCompanies(workspace, companyIds)
  return (field, value) => {
    if (value === null || value === undefined || value === '') return ''
    if (typeof value === 'boolean') return value ? yes : no
    if (field.startsWith('customFields.')) {
      return customText(
        value,
        customFields.find(({ id }) => field.endsWith(id)),
        { yes, no },
      )
    }
    if (Array.isArray(value)) return value.map(entryText).join(', ')
    if (field === 'address') return addressLines(value as NonNullable<Contact['address']>).join(', ')
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (field === 'ownerId') return actors?.members.find(({ id }) => id === text)?.name ?? text
    if (field === 'companyId') return companies.get(text) ?? text
    return field === 'language' ? nameOfCode('language', text) : text
  }
}

/** Returns an email address or a phone number with its label, or a tag. */
function entryText(entry: unknown): string {
  if (typeof entry !== 'object' || entry === null || !('value' in entry)) return String(entry)
  const { value, label } = entry as { value: string; label?: string | null }
  return label == null ? value : `${value} (${label})`
}

function useCompanies(workspace: Workspace, ids: readonly (string | null)[]): ReadonlyMap<string, string> {
  const known = [...new Set(ids.filter((id) => id !== null))]
  const found = useQueries({ queries: known.map((id) => companyQuery(workspace, id)) })
  return new Map(found.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name]])))
}
