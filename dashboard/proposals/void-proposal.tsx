import type { Proposal } from '@groundwork/api'
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { FormFailure } from '../shell/form-failure.tsx'
import { useForm } from '../shell/form.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { proposalsKey } from './queries.ts'
import { proposalWords } from './words.ts'

const longestReason = 500

export function VoidProposal({ proposal, opened, onClose }: { proposal: Proposal; opened: boolean; onClose: () => void }) {
  const words = useWords(proposalWords)
  const { cancel, close } = useWords(sharedWords)
  const { client, organization } = useWorkspace()
  const form = useForm({ reason: '' })
  const change = useChange(({ reason }: typeof form.values) => client.proposals.void(proposal.id, { reason }), {
    touches: () => [[organization.id, ...proposalsKey]],
    done: words.voided,
    tellFailure: false,
    onDone: onClose,
  })
  return (
    <Modal opened={opened} onClose={onClose} title={words.voidTitle} closeButtonProps={{ 'aria-label': close }}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(form.values, { onError: form.refuse })
        }}
      >
        <Stack>
          <Text size="sm">{words.voidHelp}</Text>
          <Textarea
            label={words.reason}
            description={words.reasonHelp(longestReason - form.values.reason.length)}
            {...form.text('reason')}
            maxLength={longestReason}
            autosize
            minRows={3}
            required
            data-autofocus
          />
          <FormFailure error={change.error} fields={['reason']} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {cancel}
            </Button>
            <Button type="submit" color="red" loading={change.isPending}>
              {words.void}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
