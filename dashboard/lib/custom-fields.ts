import type { CustomField } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

export const customFieldsKey = ['custom-fields'] as const
/** Dry runs of a change of type, which depend on the values of records. */
export const conversionsKey = ['custom-fields', 'conversions'] as const

/** The custom fields of contacts or companies that are in use, by name. */
export const customFieldsQuery = ({ client, organization }: Workspace, entity: CustomField['entity']) =>
  queryOptions({
    queryKey: [organization.id, ...customFieldsKey, entity],
    queryFn: async ({ signal }) => {
      const fields: CustomField[] = []
      for await (const field of client.customFields.list({ entity, limit: 100 }, { signal })) fields.push(field)
      return fields.toSorted((a, b) => a.name.localeCompare(b.name))
    },
  })

/** Returns the text of a custom field's value: the labels of options, and days and numbers as they are written here. */
export function customText(value: unknown, field: CustomField | undefined, words: { yes: string; no: string }): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (Array.isArray(value)) return value.map((each) => customText(each, field, words)).join(', ')
  if (typeof value === 'number') return value.toLocaleString()
  return field?.options?.find((option) => option.value === value)?.label ?? (typeof value === 'string' ? value : JSON.stringify(value))
}
