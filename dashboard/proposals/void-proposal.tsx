import type { Proposal } from '@groundwork/api'
import { Text, Textarea } from '@mantine/core'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { useMessages } from '../messages/messages.ts'
import { proposalsKey } from './queries.ts'
import { proposalMessages } from './messages.ts'

const maxReasonLength = 500

export function VoidProposal({ proposal, opened, onClose }: { proposal: Proposal; opened: boolean; onClose: () => void }) {
  const messages = useMessages(proposalMessages)
  const { client, organization } = useWorkspace()
  const form = useForm({ reason: '' })
  const change = useChange(({ reason }: typeof form.values) => client.proposals.void(proposal.id, { reason }), {
    invalidates: () => [[organization.id, ...proposalsKey]],
    done: messages.voided,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={messages.voidTitle}
      opened={opened}
      onClose={onClose}
      {...sentBy(form, change)}
      action={messages.void}
      danger
      fields={['reason']}
    >
      <Text size="sm">{messages.voidHelp}</Text>
      <Textarea
        label={messages.reason}
        description={messages.reasonHelp(maxReasonLength - form.values.reason.length)}
        {...form.text('reason')}
        maxLength={maxReasonLength}
        autosize
        minRows={3}
        required
        data-autofocus
      />
    </FormDialog>
  )
}
