import type { ApiToken } from '@groundwork/api'
import { useWorkspace } from '../../lib/workspace.ts'
import { BulkActions } from '../../shell/list/bulk-actions.tsx'
import { useMessages } from '../../messages/messages.ts'
import { tokensKey } from './queries.ts'
import { stateOf } from './token-state.ts'
import { tokenMessages } from './messages.ts'

/** Revokes selected tokens after a confirmation that says how many of them are in use. */
export function RevokeTokens({ tokens, onDone }: { tokens: readonly ApiToken[]; onDone: () => void }) {
  const messages = useMessages(tokenMessages)
  const workspace = useWorkspace()
  return (
    <BulkActions
      rows={tokens}
      nameOf={({ name }) => name}
      onDone={onDone}
      invalidates={[tokensKey(workspace)]}
      actions={[
        {
          label: messages.revokeMany,
          appliesTo: (token) => stateOf(token, Date.now()) !== 'revoked',
          run: ({ id }) => workspace.client.tokens.delete(id),
          question: (rows) => ({
            title: messages.revokeCount(rows.length),
            body: messages.revokeManyHelp(rows.filter(({ lastUsedAt }) => lastUsedAt !== null).length, rows.length),
            action: messages.revokeMany,
          }),
          done: messages.revokedCount,
          isDangerous: true,
        },
      ]}
    />
  )
}
