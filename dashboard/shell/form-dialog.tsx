import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame } from './form-frame.tsx'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

interface DialogFormProps {
  onClose: () => void
  onSubmit: () => void
  /** The label of the submit button. */
  action: string
  /** Makes the submit button red, for destructive actions. */
  danger?: boolean
  busy: boolean
  error: unknown
  /** API paths whose errors the form shows at its fields. */
  fields: readonly string[]
  /** An additional button. */
  aside?: ReactNode
  children: ReactNode
}

interface FormDialogProps extends DialogFormProps {
  title: string
  /** Pass it to keep typed values while the dialog is closed. By default, the dialog is open while it is mounted. */
  opened?: boolean
  size?: 'md' | 'lg' | 'xl'
}

/** A form in a modal dialog. */
export function FormDialog({ title, opened = true, size = 'md', ...form }: FormDialogProps) {
  const { close } = useMessages(sharedMessages)
  return (
    <Modal opened={opened} onClose={form.onClose} title={title} size={size} closeButtonProps={{ 'aria-label': close }}>
      <DialogForm {...form} />
    </Modal>
  )
}

/** The form without the modal, for example for a drawer. */
export function DialogForm({ onClose, onSubmit, action, danger = false, busy, error, fields, aside, children }: DialogFormProps) {
  const { cancel } = useMessages(sharedMessages)
  const buttons = (
    <Group justify="flex-end" gap="xs">
      {aside}
      <Button variant="default" onClick={onClose}>
        {cancel}
      </Button>
      <Button type="submit" loading={busy} {...(danger && { color: 'red' })}>
        {action}
      </Button>
    </Group>
  )
  return (
    <FormFrame onSubmit={onSubmit} error={error} fields={fields} buttons={buttons}>
      {children}
    </FormFrame>
  )
}
