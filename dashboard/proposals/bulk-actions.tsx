import type { Proposal } from '@groundwork/api'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useWorkspace } from '../lib/workspace.ts'
import { BulkActions, namesIn } from '../shell/list/bulk-actions.tsx'
import { listsMessages } from '../messages/lists.ts'
import { useMessages } from '../messages/messages.ts'
import { proposalsKey } from './queries.ts'
import { VoidProposals } from './void-proposal.tsx'
import { proposalMessages } from './messages.ts'

/** Voids those of the selected proposals that can be voided, and deletes drafts. */
export function ProposalBulkActions({ proposals, onDone }: { proposals: readonly Proposal[]; onDone: () => void }) {
  const messages = useMessages(proposalMessages)
  const { someOf } = useMessages(listsMessages)
  const { client, organization } = useWorkspace()
  const [voiding, { open, close }] = useDisclosure()
  // Drafts are deleted instead.
  const voidable = proposals.filter(({ status, allowedTransitions }) => status !== 'draft' && allowedTransitions.includes('voided'))
  return (
    <>
      {voidable.length > 0 && (
        <Button size="compact-sm" mih={32} variant="default" c="var(--mantine-color-error)" onClick={open}>
          {voidable.length === proposals.length ? messages.voidMany : someOf(messages.voidMany, voidable.length)}
        </Button>
      )}
      <BulkActions
        rows={proposals}
        nameOf={({ title }) => title}
        onDone={onDone}
        invalidates={[[organization.id, ...proposalsKey]]}
        actions={[
          {
            label: messages.removeMany,
            appliesTo: ({ status }) => status === 'draft',
            run: ({ id }) => client.proposals.delete(id),
            question: (rows) => ({
              title: messages.removeCount(rows.length),
              body: messages.removeManyBody(namesIn(rows.map(({ title }) => title))),
              action: messages.removeMany,
            }),
            done: messages.removedCount,
            refusals: messages.statusRefusals,
            isDangerous: true,
          },
        ]}
      />
      {voiding && (
        <VoidProposals
          proposals={voidable}
          onClose={close}
          onDone={() => {
            close()
            onDone()
          }}
        />
      )}
    </>
  )
}
