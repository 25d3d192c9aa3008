import type { WebhookEndpoint } from '@groundwork/api'
import { Text } from '@mantine/core'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { sharedWords } from '../../words/shared.ts'
import { useWords } from '../../words/words.ts'
import { RotateDialog } from '../rotate-dialog.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { endpointBody, EndpointFields, endpointFields, type EndpointValues } from './endpoint-fields.tsx'
import { webhooksKey } from './queries.ts'
import { webhookWords } from './words.ts'

export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const words = useWords(webhookWords)
  const workspace = useWorkspace()
  const form = useForm<EndpointValues>({ url: '', description: '', eventTypes: [] })
  const change = useChange((values: EndpointValues) => workspace.client.webhooks.create(endpointBody(values)), {
    invalidates: () => [webhooksKey(workspace)],
    notifyFailure: false,
  })
  if (change.data !== undefined) {
    return (
      <SecretDialog title={words.createdTitle} name={words.secret} secret={change.data.secret} onClose={onClose}>
        <Text size="sm">{words.secretHelp}</Text>
      </SecretDialog>
    )
  }
  return (
    <FormDialog
      title={words.newEndpoint}
      size="lg"
      onClose={onClose}
      {...sentBy(form, change)}
      action={words.create}
      fields={endpointFields}
    >
      <EndpointFields form={form} />
    </FormDialog>
  )
}

interface EndpointDialogProps {
  endpoint: WebhookEndpoint
  onClose: () => void
}

export function EditEndpoint({ endpoint: { id, url, description, eventTypes }, onClose }: EndpointDialogProps) {
  const words = useWords(webhookWords)
  const { save } = useWords(sharedWords)
  const workspace = useWorkspace()
  const form = useForm<EndpointValues>({ url, description, eventTypes: eventTypes ?? [] })
  const change = useChange((values: EndpointValues) => workspace.client.webhooks.update(id, endpointBody(values)), {
    invalidates: () => [webhooksKey(workspace)],
    done: words.saved,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={words.editTitle} size="lg" onClose={onClose} {...sentBy(form, change)} action={save} fields={endpointFields}>
      <EndpointFields form={form} />
    </FormDialog>
  )
}

export function RotateSecret({ endpoint, onClose }: EndpointDialogProps) {
  const words = useWords(webhookWords)
  const workspace = useWorkspace()
  return (
    <RotateDialog
      title={words.rotateTitle}
      rotate={async (overlapSeconds) => (await workspace.client.webhooks.rotateSecret(endpoint.id, { overlapSeconds })).secret}
      invalidates={webhooksKey(workspace)}
      doneTitle={words.rotatedTitle}
      name={words.secret}
      onClose={onClose}
    />
  )
}
