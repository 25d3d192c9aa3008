import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFailure } from './form-failure.tsx'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

interface FormDialogProps {
  title: string
  onClose: () => void
  onSubmit: () => void
  /** What the button says. */
  action: string
  busy: boolean
  error: unknown
  /** Paths of the contract whose faults the form shows at its fields. */
  fields: readonly string[]
  size?: 'md' | 'lg' | 'xl'
  children: ReactNode
}

/** A form in a dialog; open as long as it is there. */
export function FormDialog({ title, onClose, onSubmit, action, busy, error, fields, size = 'md', children }: FormDialogProps) {
  const words = useWords(sharedWords)
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': words.close }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <Stack>
          {children}
          <FormFailure error={error} fields={fields} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={busy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
