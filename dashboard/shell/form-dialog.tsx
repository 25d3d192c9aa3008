import { Button, Group, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFrame } from './form-frame.tsx'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

interface DialogFormProps {
  onClose: () => void
  onSubmit: () => void
  /** What the button says. */
  action: string
  /** Whether it takes something away. */
  danger?: boolean
  busy: boolean
  error: unknown
  /** Paths of the contract whose faults the form shows at its fields. */
  fields: readonly string[]
  /** Another button. */
  aside?: ReactNode
  children: ReactNode
}

interface FormDialogProps extends DialogFormProps {
  title: string
  /** Where what was typed is to outlast its closing; else it is open as long as it is there. */
  opened?: boolean
  size?: 'md' | 'lg' | 'xl'
}

/** A form in a dialog. */
export function FormDialog({ title, opened = true, size = 'md', ...form }: FormDialogProps) {
  const { close } = useWords(sharedWords)
  return (
    <Modal opened={opened} onClose={form.onClose} title={title} size={size} closeButtonProps={{ 'aria-label': close }}>
      <DialogForm {...form} />
    </Modal>
  )
}

/** The form alone, for what is no Modal. */
export function DialogForm({ onClose, onSubmit, action, danger = false, busy, error, fields, aside, children }: DialogFormProps) {
  const { cancel } = useWords(sharedWords)
  const buttons = (
    <Group justify="flex-end">
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
