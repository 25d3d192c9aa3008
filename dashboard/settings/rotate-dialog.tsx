import { NativeSelect, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { useWords } from '../words/words.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { settingsWords } from './words.ts'

interface RotateDialogProps {
  title: string
  help?: string
  /** Answers the new secret. */
  rotate: (overlapSeconds: number) => Promise<string>
  touches: QueryKey
  /** What is said above the new secret. */
  doneTitle: string
  /** What the secret is, for who does not see it. */
  what: string
  onClose: () => void
}

const overlaps = ['0', '3600', '86400', '604800'] as const

/** Makes a new secret beside the one of now, and shows it. */
export function RotateDialog({ title, help, rotate, touches, doneTitle, what, onClose }: RotateDialogProps) {
  const { rotation: words } = useWords(settingsWords)
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400')
  const change = useChange(() => rotate(Number(overlap)), { touches: () => [touches], tellFailure: false })
  if (change.data !== undefined) return <SecretDialog title={doneTitle} what={what} secret={change.data} onClose={onClose} />
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
        onChange={(event) => setOverlap(overlaps.find((one) => one === event.currentTarget.value) ?? '0')}
        data={overlaps.map((one) => ({ value: one, label: words.overlaps[one] }))}
        data-autofocus
      />
    </FormDialog>
  )
}
