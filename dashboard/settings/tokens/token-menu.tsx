import type { ApiToken } from '@groundwork/api'
import { Menu, Stack, Text } from '@mantine/core'
import { IconBan, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { RowMenu } from '../../shell/row-menu.tsx'
import { useMessages } from '../../messages/messages.ts'
import { tokensKey } from './queries.ts'
import { stateOf } from './token-state.ts'
import { tokenMessages } from './messages.ts'

interface TokenMenuProps {
  token: ApiToken
  onRename: () => void
  onRotate: () => void
}

export function TokenMenu({ token, onRename, onRotate }: TokenMenuProps) {
  const messages = useMessages(tokenMessages)
  const revoke = useRevoke(token)
  const state = stateOf(token, Date.now())
  return (
    <RowMenu label={messages.menuOf(token.name)}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
        {messages.rename}
      </Menu.Item>
      {state !== 'expired' && state !== 'revoked' && (
        <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRotate}>
          {messages.rotate}
        </Menu.Item>
      )}
      {state !== 'revoked' && (
        <Menu.Item c="var(--mantine-color-error)" leftSection={<IconBan size={16} aria-hidden />} onClick={() => void revoke()}>
          {messages.revoke}
        </Menu.Item>
      )}
    </RowMenu>
  )
}

function useRevoke(token: ApiToken): () => Promise<void> {
  const messages = useMessages(tokenMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const change = useChange(() => workspace.client.tokens.delete(token.id), {
    invalidates: () => [tokensKey(workspace)],
    done: messages.revoked,
  })
  return async () => {
    const used =
      token.lastUsedAt === null ? (
        <Text size="sm">{messages.revokeUnused}</Text>
      ) : (
        <Text size="sm">
          {messages.revokeUsed} <RelativeTime at={token.lastUsedAt} />.
        </Text>
      )
    const body = (
      <Stack gap="xs">
        {used}
        <Text size="sm">{messages.revokeFinal}</Text>
      </Stack>
    )
    if (await confirm({ title: messages.revokeTitle(token.name), body, action: messages.revokeAction })) change.mutate()
  }
}
