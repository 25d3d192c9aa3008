import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../lib/pages.ts'
import type { Workspace } from '../lib/workspace.ts'

export const basesQuery = ({ client, organization }: Workspace) =>
  pagesOf([organization.id, 'bases', 'list'], ({ query, signal }) => client.bases.list(query, { signal }).page())

export const baseQuery = ({ client, organization }: Workspace, baseId: string) =>
  queryOptions({
    queryKey: [organization.id, 'bases', baseId, 'base'],
    queryFn: ({ signal }) => client.bases.get(baseId, { signal }),
  })

export const sourcesQuery = ({ client, organization }: Workspace, baseId: string) =>
  pagesOf([organization.id, 'bases', baseId, 'sources'], ({ query, signal }) => client.bases.sources.list(baseId, query, { signal }).page())

/** What shows bases, however it was asked for. */
export const basesKey = ({ organization }: Workspace): QueryKey => [organization.id, 'bases']
