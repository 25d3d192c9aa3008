import type { Source } from './records.ts'
import { Menu } from '@mantine/core'
import { IconEye, IconEyeOff, IconPlayerStop, IconRefresh, IconReload, IconTrash } from '@tabler/icons-react'
import { RowMenu } from '../shell/row-menu.tsx'
import { useMessages } from '../messages/messages.ts'
import { useSourceActions } from './source-actions.tsx'
import { knowledgeMessages } from './messages.ts'

export function SourceMenu({ source }: { source: Source }) {
  const { sources: words } = useMessages(knowledgeMessages)
  const { mayWrite, retry, cancel, sync, setEnabled, remove, busy } = useSourceActions(source)
  if (!mayWrite) return null
  const { status, errorCode, enabled, url, name } = source
  return (
    <RowMenu label={words.menu(name)} busy={busy}>
      {errorCode !== null && status !== 'processing' && (
        <Menu.Item leftSection={<IconReload size={16} aria-hidden />} onClick={retry}>
          {words.retry}
        </Menu.Item>
      )}
      {status === 'processing' && (
        <Menu.Item leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={cancel}>
          {words.cancel}
        </Menu.Item>
      )}
      {url !== undefined && status !== 'processing' && (
        <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={sync}>
          {words.sync}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={enabled ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
        onClick={() => setEnabled(!enabled)}
      >
        {enabled ? words.disable : words.enable}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => void remove()}>
        {words.delete}
      </Menu.Item>
    </RowMenu>
  )
}
