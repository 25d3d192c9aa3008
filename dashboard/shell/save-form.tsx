import { Button, Group, type StackProps } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormFrame } from './form-frame.tsx'
import { sentBy, type Form } from './form.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

interface SaveFormProps<O, T extends object> extends Pick<StackProps, 'gap'> {
  form: Form<T>
  change: UseMutationResult<O, Error, T>
  /** API paths whose errors the form shows at its fields. */
  fields: readonly string[]
  mayWrite: boolean
  /** The label of the button; "Save" by default. */
  action?: string
  /** Shown next to the button. */
  beside?: ReactNode
  children: ReactNode
}

/** A form on a page. Its button is enabled after a change. */
export function SaveForm<O, T extends object>({ form, change, mayWrite, action, beside, ...frame }: SaveFormProps<O, T>) {
  const { save } = useMessages(sharedMessages)
  const { busy, onSubmit, error } = sentBy(form, change)
  const button = mayWrite && (
    <Button type="submit" loading={busy} disabled={!form.changed}>
      {action ?? save}
    </Button>
  )
  const buttons = (mayWrite || beside !== undefined) && (
    <Group justify="space-between">
      {beside}
      {button}
    </Group>
  )
  return <FormFrame onSubmit={onSubmit} error={error} {...frame} buttons={buttons} />
}
