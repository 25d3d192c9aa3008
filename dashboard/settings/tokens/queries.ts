import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'

export const tokensKey = ({ organization }: Workspace): QueryKey => [organization.id, 'tokens']

export const tokensQuery = (workspace: Workspace) =>
  pagesOf([...tokensKey(workspace), 'list'], ({ query, signal }) => workspace.client.tokens.list(query, { signal }).page())

/** More than this many are not chosen from in a list. */
const choicesAtMost = 100

/** Names of the bases that something can be limited to. */
export const baseChoicesQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'bases', 'choices'],
    enabled: organization.scopes.includes('bases:read'),
    queryFn: async ({ signal }) =>
      (await client.bases.list({ limit: choicesAtMost }, { signal }).page()).data.map(({ id, name }) => ({ id, name })),
  })
