import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CopyableCode } from '../shell/copyable-code.tsx'
import { useWords } from '../words/words.ts'
import { settingsWords } from './words.ts'

interface SecretDialogProps {
  title: string
  /** What the secret is, for who does not see it. */
  what: string
  secret: string
  onClose: () => void
  /** How it is used. */
  children?: ReactNode
}

/** Shows a secret that cannot be shown again, so nothing but its button closes it. */
export function SecretDialog({ title, what, secret, onClose, children }: SecretDialogProps) {
  const words = useWords(settingsWords)
  return (
    <Modal opened onClose={onClose} title={title} size="lg" withCloseButton={false} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />}>
          <Text size="sm">{words.secretOnce}</Text>
        </Alert>
        <CopyableCode what={what} code={secret} />
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{words.secretKept}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
