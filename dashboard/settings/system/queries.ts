import { queryOptions, type QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'

export const systemQuery = ({ client, organization }: Workspace) =>
  queryOptions({
    queryKey: [organization.id, 'system'],
    queryFn: ({ signal }) => client.system.get({ signal }),
  })

export const mailsKey = ({ organization }: Workspace): QueryKey => [organization.id, 'mails']

export const mailsQuery = (workspace: Workspace) =>
  pagesOf(mailsKey(workspace), ({ query, signal }) => workspace.client.mails.list(query, { signal }).page())
