import type { ApiToken } from '@groundwork/api'
import { TextInput } from '@mantine/core'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { sentBy, useForm } from '../../shell/form.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { RotateDialog } from '../rotate-dialog.tsx'
import { tokensKey } from './queries.ts'
import { tokenMessages } from './messages.ts'

interface TokenDialogProps {
  token: ApiToken
  onClose: () => void
}

export function RenameToken({ token, onClose }: TokenDialogProps) {
  const messages = useMessages(tokenMessages)
  const { save } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const form = useForm({ name: token.name })
  const change = useChange((body: { name: string }) => workspace.client.tokens.update(token.id, body), {
    invalidates: () => [tokensKey(workspace)],
    done: messages.renamed,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={messages.rename} onClose={onClose} {...sentBy(form, change)} action={save} fields={['name']}>
      <TextInput label={messages.name} {...form.text('name')} maxLength={200} required data-autofocus />
    </FormDialog>
  )
}

export function RotateToken({ token, onClose }: TokenDialogProps) {
  const messages = useMessages(tokenMessages)
  const workspace = useWorkspace()
  return (
    <RotateDialog
      title={messages.rotateTitle(token.name)}
      help={messages.rotateHelp}
      rotate={async (overlapSeconds) => (await workspace.client.tokens.rotate(token.id, { overlapSeconds })).token}
      invalidates={tokensKey(workspace)}
      doneTitle={messages.rotatedTitle}
      name={messages.secret}
      onClose={onClose}
    />
  )
}
