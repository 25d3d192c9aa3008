import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyableCode } from '../shell/copyable-code.tsx'
import { useMessages } from '../messages/messages.ts'
import { settingsMessages } from './messages.ts'

interface SecretDialogProps {
  title: string
  /** The accessible name of the secret. */
  name: string
  secret: string
  onClose: () => void
  /** Instructions shown below the secret. */
  children?: ReactNode
}

/** Shows a secret once. Only the button closes the dialog, because the secret cannot be shown again. */
export function SecretDialog({ title, name, secret, onClose, children }: SecretDialogProps) {
  const messages = useMessages(settingsMessages)
  return (
    <Modal opened onClose={onClose} title={title} size="lg" withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm">{messages.secretOnce}</Text>
        </Alert>
        <CopyableCode name={name} code={secret} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{messages.secretKept}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
