import type { WebhookEndpoint } from '@groundwork/api'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconSend, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { useConfirm } from '../../shell/confirm.tsx'
import { useMessages } from '../../messages/messages.ts'
import { EditEndpoint, RotateSecret } from './endpoint-dialogs.tsx'
import { webhooksKey } from './queries.ts'
import { webhookMessages } from './messages.ts'

export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const messages = useMessages(webhookMessages)
  const workspace = useWorkspace()
  const [dialog, setDialog] = useState<'edit' | 'rotate'>()
  const remove = useRemove(endpoint)
  const invalidates = () => [webhooksKey(workspace)]
  const test = useChange(() => workspace.client.webhooks.test(endpoint.id), {
    invalidates,
    done: messages.tested,
    refusals: { conflict: messages.isDisabled },
  })
  const setEnabled = useChange((enabled: boolean) => workspace.client.webhooks.update(endpoint.id, { enabled }), {
    invalidates,
    done: ({ enabled }) => (enabled ? messages.enabled : messages.disabled),
  })
  if (!useMay('webhooks:write')) return null
  const close = (): void => setDialog(undefined)
  return (
    <>
      {endpoint.enabled ? (
        <Button variant="default" leftSection={<IconSend size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
          {messages.test}
        </Button>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={16} aria-hidden />}
          loading={setEnabled.isPending}
          onClick={() => setEnabled.mutate(true)}
        >
          {messages.enable}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={messages.menu}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('edit')}>
            {messages.edit}
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => setDialog('rotate')}>
            {messages.rotate}
          </Menu.Item>
          {endpoint.enabled && (
            <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setEnabled.mutate(false)}>
              {messages.disable}
            </Menu.Item>
          )}
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
            {messages.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'edit' && <EditEndpoint endpoint={endpoint} onClose={close} />}
      {dialog === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
    </>
  )
}

function useRemove({ id, url }: WebhookEndpoint): () => Promise<void> {
  const messages = useMessages(webhookMessages)
  const workspace = useWorkspace()
  const confirm = useConfirm()
  const navigate = useNavigate()
  const change = useChange(() => workspace.client.webhooks.delete(id), {
    done: messages.removed,
    onDone: () => void navigate({ to: '/$organization/settings/webhooks', params: { organization: workspace.organization.slug } }),
    invalidates: () => [[...webhooksKey(workspace), 'list']],
  })
  return async () => {
    if (await confirm({ title: messages.removeTitle(url), body: messages.removeHelp, action: messages.removeAction })) change.mutate()
  }
}
