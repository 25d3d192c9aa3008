import type { QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'

export const tokensKey = ({ organization }: Workspace): QueryKey => [organization.id, 'tokens']

export const tokensQuery = (workspace: Workspace) =>
  pagesOf([...tokensKey(workspace), 'list'], ({ query, signal }) => workspace.client.tokens.list(query, { signal }).page())
