import type { Proposal } from '@groundwork/api'
import { Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { runEach } from '../shell/list/bulk-actions.tsx'
import { notifySuccess } from '../shell/notify.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalsKey } from './queries.ts'
import { Names } from './send-question.tsx'
import { proposalMessages } from './messages.ts'

const maxReasonLength = 500

export function VoidProposal({ proposal, onClose }: { proposal: Proposal; onClose: () => void }) {
  const messages = useMessages(proposalMessages)
  const { client } = useWorkspace()
  const act = async (reason: string): Promise<void> => {
    await client.proposals.void(proposal.id, { reason })
    notifySuccess(messages.voided)
  }
  const { void: action, voidTitle, voidHelp } = messages
  const title = voidTitle(proposal.number ?? `“${proposal.title}”`)
  const help = (
    <>
      {voidHelp}
      <Names recipients={proposal.recipients} />
    </>
  )
  return <ReasonDialog {...{ title, help, action, onClose, act }} onDone={onClose} />
}

interface VoidProposalsProps {
  proposals: readonly Proposal[]
  onClose: () => void
  onDone: () => void
}

/** Voids proposals with one reason. */
export function VoidProposals({ proposals, ...dialog }: VoidProposalsProps) {
  const messages = useMessages(proposalMessages)
  const { client } = useWorkspace()
  const act = (reason: string): Promise<void> =>
    runEach(proposals, ({ title }) => title, {
      run: ({ id }) => client.proposals.void(id, { reason }),
      done: messages.voidedCount,
      refusals: messages.statusRefusals,
    })
  return (
    <ReasonDialog
      title={messages.voidCount(proposals.length)}
      help={messages.voidManyHelp(proposals.reduce((sum, { recipients }) => sum + recipients.length, 0))}
      action={messages.voidMany}
      act={act}
      {...dialog}
    />
  )
}

interface ReasonDialogProps {
  title: string
  help: ReactNode
  action: string
  act: (reason: string) => Promise<void>
  onClose: () => void
  onDone: () => void
}

function ReasonDialog({ title, help, action, act, onClose, onDone }: ReasonDialogProps) {
  const messages = useMessages(proposalMessages)
  const { organization } = useWorkspace()
  const form = useForm({ reason: '' })
  const change = useChange(({ reason }: typeof form.values) => act(reason), {
    invalidates: () => [[organization.id, ...proposalsKey]],
    notifyFailure: false,
    onDone,
  })
  return (
    <FormDialog title={title} onClose={onClose} {...sentBy(form, change)} action={action} danger fields={['reason']}>
      <Text size="sm" component="div">
        {help}
      </Text>
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
