import type { Proposal } from '@groundwork/api'
import { Text, Textarea } from '@mantine/core'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormDialog } from '../shell/form-dialog.tsx'
import { sentBy, useForm } from '../shell/form.ts'
import { useWords } from '../words/words.ts'
import { proposalsKey } from './queries.ts'
import { proposalWords } from './words.ts'

const maxReasonLength = 500

export function VoidProposal({ proposal, opened, onClose }: { proposal: Proposal; opened: boolean; onClose: () => void }) {
  const words = useWords(proposalWords)
  const { client, organization } = useWorkspace()
  const form = useForm({ reason: '' })
  const change = useChange(({ reason }: typeof form.values) => client.proposals.void(proposal.id, { reason }), {
    invalidates: () => [[organization.id, ...proposalsKey]],
    done: words.voided,
    notifyFailure: false,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={words.voidTitle}
      opened={opened}
      onClose={onClose}
      {...sentBy(form, change)}
      action={words.void}
      danger
      fields={['reason']}
    >
      <Text size="sm">{words.voidHelp}</Text>
      <Textarea
        label={words.reason}
        description={words.reasonHelp(maxReasonLength - form.values.reason.length)}
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
