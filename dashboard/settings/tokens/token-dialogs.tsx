import type { ApiToken } from '@groundwork/api'
import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { sentBy, useForm } from '../../shell/form.ts'
import { sharedWords } from '../../words/shared.ts'
import { useWords } from '../../words/words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { tokensKey } from './queries.ts'
import { tokenWords } from './words.ts'

interface TokenDialogProps {
  token: ApiToken
  onClose: () => void
}

export function RenameToken({ token, onClose }: TokenDialogProps) {
  const words = useWords(tokenWords)
  const { save } = useWords(sharedWords)
  const workspace = useWorkspace()
  const form = useForm({ name: token.name })
  const change = useChange((body: { name: string }) => workspace.client.tokens.update(token.id, body), {
    touches: () => [tokensKey(workspace)],
    done: words.renamed,
    tellFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={words.rename} onClose={onClose} {...sentBy(form, change)} action={save} fields={['name']}>
      <TextInput label={words.name} {...form.text('name')} maxLength={200} required data-autofocus />
    </FormDialog>
  )
}

const overlaps = ['0', '3600', '86400', '604800'] as const

export function RotateToken({ token, onClose }: TokenDialogProps) {
  const words = useWords(tokenWords)
  const workspace = useWorkspace()
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400')
  const change = useChange(() => workspace.client.tokens.rotate(token.id, { overlapSeconds: Number(overlap) }), {
    touches: () => [tokensKey(workspace)],
    tellFailure: false,
  })
  if (change.data !== undefined) {
    return <SecretDialog title={words.rotatedTitle} what={words.secret} secret={change.data.token} onClose={onClose} />
  }
  return (
    <FormDialog
      title={words.rotateTitle(token.name)}
      onClose={onClose}
      onSubmit={() => change.mutate()}
      action={words.rotateAction}
      busy={change.isPending}
      error={change.error}
      fields={[]}
    >
      <Text size="sm">{words.rotateHelp}</Text>
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
