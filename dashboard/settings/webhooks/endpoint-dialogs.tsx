import type { WebhookEndpoint } from '@groundwork/api'
import { Text } from '@mantine/core'
import { useWorkspace } from '../../lib/workspace.ts'
import { useChange } from '../../shell/change.ts'
import { FormDialog } from '../../shell/form-dialog.tsx'
import { sentBy, useForm } from '../../shell/form.ts'
import { sharedMessages } from '../../messages/shared.ts'
import { useMessages } from '../../messages/messages.ts'
import { RotateDialog } from '../rotate-dialog.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { endpointBody, EndpointFields, endpointFields, type EndpointValues } from './endpoint-fields.tsx'
import { webhooksKey } from './queries.ts'
import { webhookMessages } from './messages.ts'

export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const messages = useMessages(webhookMessages)
  const workspace = useWorkspace()
  const form = useForm<EndpointValues>({ url: '', description: '', eventTypes: [] })
  const change = useChange((values: EndpointValues) => workspace.client.webhooks.create(endpointBody(values)), {
    invalidates: () => [webhooksKey(workspace)],
    refusals: { conflict: messages.tooMany },
    notifyFailure: false,
  })
  if (change.data !== undefined) {
    return (
      <SecretDialog title={messages.createdTitle} name={messages.secret} secret={change.data.secret} onClose={onClose}>
        <Text size="sm">{messages.secretHelp}</Text>
      </SecretDialog>
    )
  }
  return (
    <FormDialog
      title={messages.newEndpoint}
      size="lg"
      onClose={onClose}
      {...sentBy(form, change)}
      action={messages.create}
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
  const messages = useMessages(webhookMessages)
  const { save } = useMessages(sharedMessages)
  const workspace = useWorkspace()
  const form = useForm<EndpointValues>({ url, description, eventTypes: eventTypes ?? [] })
  const change = useChange((values: EndpointValues) => workspace.client.webhooks.update(id, endpointBody(values)), {
    invalidates: () => [webhooksKey(workspace)],
    done: messages.saved,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog title={messages.editTitle} size="lg" onClose={onClose} {...sentBy(form, change)} action={save} fields={endpointFields}>
      <EndpointFields form={form} />
    </FormDialog>
  )
}

export function RotateSecret({ endpoint, onClose }: EndpointDialogProps) {
  const messages = useMessages(webhookMessages)
  const workspace = useWorkspace()
  return (
    <RotateDialog
      title={messages.rotateTitle}
      rotate={async (overlapSeconds) => (await workspace.client.webhooks.rotateSecret(endpoint.id, { overlapSeconds })).secret}
      invalidates={webhooksKey(workspace)}
      doneTitle={messages.rotatedTitle}
      name={messages.secret}
      onClose={onClose}
    />
  )
}
