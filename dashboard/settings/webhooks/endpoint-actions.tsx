import type { WebhookEndpoint } from '@groundwork/api'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { useWords } from '../../words/words.ts'
import { EditEndpoint, RotateSecret } from './endpoint-dialogs.tsx'
import { webhooksKey } from './queries.ts'
import { webhookWords } from './words.ts'

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const words = useWords(webhookWords)
  const workspace = useWorkspace()
  const [dialog, setDialog] = useState<'edit' | 'rotate'>()
  const remove = useRemove(endpoint)
  const invalidates = () => [webhooksKey(workspace)]
  const test = useChange(() => workspace.client.webhooks.test(endpoint.id), { invalidates, done: words.tested })
  const setEnabled = useChange((enabled: boolean) => workspace.client.webhooks.update(endpoint.id, { enabled }), {
    invalidates,
    done: ({ enabled }) => (enabled ? words.enabled : words.disabled),
  })
  if (!useMay('webhooks:write')) return null
  const close = (): void => setDialog(undefined)
  return (
    <>
      {endpoint.enabled ? (
        <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
          {words.test}
        </Button>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={setEnabled.isPending}
          onClick={() => setEnabled.mutate(true)}
        >
          {words.enable}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={words.menu}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('edit')}>
            {words.edit}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setDialog('rotate')}>
            {words.rotate}
          </Menu.Item>
          {endpoint.enabled && (
            <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setEnabled.mutate(false)}>
              {words.disable}
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
            {words.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
    </>
  )
}

function useRemove({ id }: WebhookEndpoint): () => Promise<void> {
  const words = useWords(webhookWords)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const change = useChange(() => workspace.client.webhooks.delete(id), {
    done: words.removed,
    onDone: () => void navigate({ to: '/$organization/settings/webhooks', params: { organization: workspace.organization.slug } }),
    invalidates: () => [[...webhooksKey(workspace), 'list']],
  })
  return async () => {
    if (await confirm({ title: words.removeTitle, body: words.removeHelp, action: words.removeAction })) change.mutate()
  }
}
