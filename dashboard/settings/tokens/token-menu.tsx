import type { ApiToken } from '@groundwork/api'
import { Menu, Stack, Text } from '@mantine/core'
import { IconBan, IconPencil, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { RelativeTime } from '../../shell/relative-time.tsx'
import { RowMenu } from '../../shell/row-menu.tsx'
import { useWords } from '../../words/words.ts'
import { tokensKey } from './queries.ts'
import { RenameToken, RotateToken } from './token-dialogs.tsx'
import { stateOf } from './token-state.ts'
import { tokenWords } from './words.ts'

export function TokenMenu({ token }: { token: ApiToken }) {
  const words = useWords(tokenWords)
  const [dialog, setDialog] = useState<'rename' | 'rotate'>()
  const revoke = useRevoke(token)
  const state = stateOf(token, Date.now())
  const close = (): void => setDialog(undefined)
  return (
    <>
      <RowMenu label={words.menuOf(token.name)}>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('rename')}>
          {words.rename}
        </Menu.Item>
        {state !== 'expired' && state !== 'revoked' && (
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setDialog('rotate')}>
            {words.rotate}
          </Menu.Item>
        )}
        {state !== 'revoked' && (
          <Menu.Item color="red" leftSection={<IconBan size={16} aria-hidden />} onClick={() => void revoke()}>
            {words.revoke}
          </Menu.Item>
        )}
      </RowMenu>
      {dialog === 'rename' && <RenameToken token={token} onClose={close} />}
      {dialog === 'rotate' && <RotateToken token={token} onClose={close} />}
    </>
  )
}

function useRevoke(token: ApiToken): () => Promise<void> {
  const words = useWords(tokenWords)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const change = useChange(() => workspace.client.tokens.delete(token.id), {
    invalidates: () => [tokensKey(workspace)],
    done: words.revoked,
  })
  return async () => {
    const used =
      token.lastUsedAt === null ? (
        <Text size="sm">{words.revokeUnused}</Text>
      ) : (
        <Text size="sm">
          {words.revokeUsed} <RelativeTime at={token.lastUsedAt} />.
        </Text>
      )
    const body = (
      <Stack gap="xs">
        {used}
        <Text size="sm">{words.revokeFinal}</Text>
      </Stack>
    )
    if (await confirm({ title: words.revokeTitle(token.name), body, action: words.revokeAction })) change.mutate()
  }
}
