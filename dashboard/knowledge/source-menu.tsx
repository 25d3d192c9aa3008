import type { Source } from './records.ts'
import { Menu } from '@mantine/core'
import { IconEye, IconEyeOff, IconPlayerStop, IconRefresh, IconReload, IconTrash } from '@tabler/icons-react'
import { ReasonedItem } from '../shell/reasoned-item.tsx'
import { RowMenu } from '../shell/row-menu.tsx'
import { useMessages } from '../messages/messages.ts'
import { sourceName } from './address-body.ts'
import { useSourceActions } from './source-actions.tsx'
import { reasonsOf } from './source-reasons.ts'
import { knowledgeMessages } from './messages.ts'

export function SourceMenu({ source }: { source: Source }) {
  const { sources: words } = useMessages(knowledgeMessages)
  const { mayWrite, retry, cancel, sync, setEnabled, remove, busy } = useSourceActions(source)
  if (!mayWrite) return null
  const { enabled } = source
  const reasons = reasonsOf(source)
  return (
    <RowMenu label={words.menu(sourceName(source))} busy={busy}>
      <ReasonedItem icon={<IconReload size={16} aria-hidden />} reason={reasons.retry} onClick={retry}>
        {words.retry}
      </ReasonedItem>
      <ReasonedItem icon={<IconPlayerStop size={16} aria-hidden />} reason={reasons.cancel} onClick={cancel}>
        {words.cancel}
      </ReasonedItem>
      <ReasonedItem icon={<IconRefresh size={16} aria-hidden />} reason={reasons.sync} onClick={sync}>
        {words.sync}
      </ReasonedItem>
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
