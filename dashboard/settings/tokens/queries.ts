import type { QueryKey } from '@tanstack/react-query'
import { pagesOf } from '../../lib/pages.ts'
import type { Workspace } from '../../lib/workspace.ts'
import { stateOf } from './token-state.ts'

export const tokensKey = ({ organization }: Workspace): QueryKey => [organization.id, 'tokens']

/** @param createdBy lists only the tokens created by this user */
export const tokensQuery = (workspace: Workspace, createdBy?: string) =>
  pagesOf([...tokensKey(workspace), 'list', createdBy ?? 'all'], ({ query, signal }) =>
    workspace.client.tokens.list({ ...query, limit: 100, ...(createdBy !== undefined && { createdBy }) }, { signal }).page(),
  )

/** Counts the valid tokens that a user created. */
export async function workingTokensOf({ client }: Workspace, userId: string): Promise<number> {
  let working = 0
  for await (const token of client.tokens.list({ createdBy: userId, limit: 100 })) {
    if (['active', 'expiring'].includes(stateOf(token, Date.now()))) working += 1
  }
  return working
}
