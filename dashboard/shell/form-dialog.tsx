import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame } from './form-frame.tsx'
import { useDiscard, type Discardable } from './form.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

interface DialogFormProps {
  /** The form, to ask before changes are discarded. */
  form?: Discardable
  onClose: () => void
  onSubmit: () => void
  /** The label of the submit button. */
  action: string
  /** Makes the submit button red, for destructive actions. */
  danger?: boolean
  busy: boolean
  /** Disables the submit button. The form shows the reason. */
  disabled?: boolean
  error: unknown
  /** API paths whose errors the form shows at its fields. */
  fields: readonly string[]
  /** An additional button. */
  aside?: ReactNode
  children: ReactNode
}

interface FormDialogProps extends DialogFormProps {
  title: string
  size?: 'md' | 'lg' | 'xl'
}

/**
 * A form in a modal dialog, which is open while it is mounted. Render it only while it is open: otherwise a form with a draft would ask
 * before the page is left.
 */
export function FormDialog({ title, size = 'md', onClose, ...props }: FormDialogProps) {
  const messages = useMessages(sharedMessages)
  const { close, isAsking } = useDiscard(props.form, onClose)
  return (
    <Modal opened onClose={close} title={title} size={size} closeOnEscape={!isAsking} closeButtonProps={{ 'aria-label': messages.close }}>
      <DialogForm {...props} onClose={close} />
    </Modal>
  )
}

/** The form without the modal, for example for a drawer. */
export function DialogForm({
  onClose,
  onSubmit,
  action,
  danger = false,
  busy,
  disabled = false,
  error,
  fields,
  aside,
  children,
}: DialogFormProps) {
  const { cancel } = useMessages(sharedMessages)
  const buttons = (
    <Group justify="flex-end" gap="xs">
      {aside}
      <Button variant="default" onClick={onClose}>
        {cancel}
      </Button>
      <Button type="submit" loading={busy} disabled={disabled} {...(danger && { color: 'red' })}>
        {action}
      </Button>
    </Group>
  )
  return (
    <FormFrame onSubmit={onSubmit} error={error} fields={fields} buttons={buttons} onClose={onClose}>
      {children}
    </FormFrame>
  )
}
