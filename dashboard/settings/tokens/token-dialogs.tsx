import type { ApiToken } from '@groundwork/api'
import { TextInput } from '@mantine/core'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { sentBy, useForm } from '../../shell/form.ts'
import { sharedWords } from '../../words/shared.ts'
import { useWords } from '../../words/words.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { RotateDialog } from '../rotate-dialog.tsx'
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
    invalidates: () => [tokensKey(workspace)],
    done: words.renamed,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={words.rename} onClose={onClose} {...sentBy(form, change)} action={save} fields={['name']}>
      <TextInput label={words.name} {...form.text('name')} maxLength={200} required data-autofocus />
    </FormDialog>
  )
}

export function RotateToken({ token, onClose }: TokenDialogProps) {
  const words = useWords(tokenWords)
  const workspace = useWorkspace()
  return (
    <RotateDialog
      title={words.rotateTitle(token.name)}
      help={words.rotateHelp}
      rotate={async (overlapSeconds) => (await workspace.client.tokens.rotate(token.id, { overlapSeconds })).token}
      invalidates={tokensKey(workspace)}
      doneTitle={words.rotatedTitle}
      name={words.secret}
      onClose={onClose}
    />
  )
}
