import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages, messagesOf } from '../messages/messages.ts'
import { linksWithKeys } from './shortcut-keys.ts'

export default function Shortcuts({ onClose }: { onClose: () => void }) {
  const { shortcuts: words, close } = useMessages(sharedMessages)
  const { organization } = useWorkspace()
  return (
    <Modal opened onClose={onClose} title={words.title} closeButtonProps={{ 'aria-label': close }}>
      <Stack gap="xs">
        <Shortcut label={words.palette}>
          <Kbd>Ctrl</Kbd> / <Kbd>⌘</Kbd> + <Kbd>K</Kbd>
        </Shortcut>
        <Shortcut label={words.help}>
          <Kbd>?</Kbd>
        </Shortcut>
        {Object.entries(words.list).map(([key, label]) => (
          <Shortcut key={key} label={label}>
            <Kbd>{key}</Kbd>
          </Shortcut>
        ))}
        {linksWithKeys(organization).map(({ to, label, key }) => (
          <Shortcut key={to} label={words.goTo(messagesOf(label))}>
            <Kbd>g</Kbd> {words.followedBy} <Kbd>{key}</Kbd>
          </Shortcut>
        ))}
      </Stack>
    </Modal>
  )
}

function Shortcut({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <Text size="sm" component="span">
        {children}
      </Text>
    </Group>
  )
}
