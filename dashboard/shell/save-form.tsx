import { Button, Group, type StackProps } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FormFrame } from './form-frame.tsx'
import { sentBy, type Form } from './form.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

interface SaveFormProps<O, T extends object> extends Pick<StackProps, 'gap'> {
  form: Form<T>
  change: UseMutationResult<O, Error, T>
  /** Paths of the contract whose faults the form shows at its fields. */
  fields: readonly string[]
  mayWrite: boolean
  /** Stands beside the button. */
  beside?: ReactNode
  children: ReactNode
}

/** A form of a page, whose button saves what has changed. */
export function SaveForm<O, T extends object>({ form, change, mayWrite, beside, ...frame }: SaveFormProps<O, T>) {
  const { save } = useWords(sharedWords)
  const { busy, ...sent } = sentBy(form, change)
  const button = mayWrite && (
    <Button type="submit" loading={busy} disabled={!form.changed}>
      {save}
    </Button>
  )
  const buttons = (mayWrite || beside !== undefined) && (
    <Group justify="space-between">
      {beside}
      {button}
    </Group>
  )
  return <FormFrame {...sent} {...frame} buttons={buttons} />
}
