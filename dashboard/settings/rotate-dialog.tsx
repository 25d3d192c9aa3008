import { NativeSelect, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { useMessages } from '../messages/messages.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { settingsMessages } from './messages.ts'

interface RotateDialogProps {
  title: string
  help?: string
  /** Returns the new secret. */
  rotate: (overlapSeconds: number) => Promise<string>
  invalidates: QueryKey
  /** The title of the dialog that shows the new secret. */
  doneTitle: string
  /** The accessible name of the secret. */
  name: string
  onClose: () => void
}

const overlaps = ['0', '3600', '86400', '604800'] as const

/** Rotates a secret, with an optional overlap, and shows the new one. */
export function RotateDialog({ title, help, rotate, invalidates, doneTitle, name, onClose }: RotateDialogProps) {
  const { rotation: words } = useMessages(settingsMessages)
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400')
  const change = useChange(() => rotate(Number(overlap)), {
    invalidates: () => [invalidates],
    refusals: { conflict: words.notRotated },
    notifyFailure: false,
  })
  if (change.data !== undefined) return <SecretDialog title={doneTitle} name={name} secret={change.data} onClose={onClose} />
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      onSubmit={() => change.mutate()}
      action={words.action}
      busy={change.isPending}
      error={change.error}
      fields={[]}
    >
      {help !== undefined && <Text size="sm">{help}</Text>}
      <NativeSelect
        label={words.overlap}
        value={overlap}
        onChange={(event) => setOverlap(overlaps.find((seconds) => seconds === event.currentTarget.value) ?? '0')}
        data={overlaps.map((seconds) => ({ value: seconds, label: words.overlaps[seconds] }))}
        data-autofocus
      />
    </FormDialog>
  )
}
