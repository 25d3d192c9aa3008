import { queryOptions } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { duplicatesKey } from '../keys.ts'

/** The open pairs, newest first. */
export const duplicatesQuery = ({ client, organization }: Workspace) =>
  pagesOf([organization.id, ...duplicatesKey], ({ query, signal }) =>
    client.contacts.duplicates.list({ ...query, limit: 50 }, { signal }).page(),
  )

export const duplicateCountQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, ...duplicatesKey, 'count'],
    queryFn: ({ signal }) => client.contacts.duplicates.count({}, { signal }),
  })
