import type { CustomField } from '@groundwork/api'
import { queryOptions } from '@tanstack/react-query'
import type { Workspace } from './workspace.ts'

export const customFieldsKey = ['custom-fields'] as const

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
