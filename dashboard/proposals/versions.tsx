import type { Proposal, ProposalStatus } from '@groundwork/api'
import { proposalTransitions } from '@groundwork/api/proposal-states'
import { Alert, Anchor, Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { useChange } from '../shell/change.ts'
import { proposalMessages } from './messages.ts'
import { proposalQuery, proposalsKey } from './queries.ts'
import { versionMessages } from './version-messages.ts'

const revisable: readonly ProposalStatus[] = proposalTransitions.filter(({ action }) => action === 'supersede').map(({ from }) => from)

/** Shows buttons that create a draft from a proposal, and opens the draft. */
export function CopyActions({ proposal: { id, status, supersededBy } }: { proposal: Proposal }) {
  const messages = useMessages(versionMessages)
  const proposalWords = useMessages(proposalMessages)
  const { client, organization } = useWorkspace()
  const navigate = useNavigate()
  const options = {
    invalidates: () => [[organization.id, ...proposalsKey]],
    onDone: (draft: Proposal) =>
      void navigate({ to: '/$organization/proposals/$proposalId', params: { organization: organization.slug, proposalId: draft.id } }),
  }
  const duplicate = useChange(() => client.proposals.duplicate(id), {
    ...options,
    done: messages.duplicated,
    refusals: proposalWords.statusRefusals,
  })
  const revise = useChange(() => client.proposals.revise(id), {
    ...options,
    done: messages.revised,
    refusals: { ...proposalWords.statusRefusals, conflict: messages.revisedAlready },
  })
  return (
    <>
      <Button variant="default" loading={duplicate.isPending} onClick={() => duplicate.mutate()}>
        {messages.duplicate}
      </Button>
      {revisable.includes(status) && supersededBy === null && (
        <Button variant="default" title={messages.reviseHelp} loading={revise.isPending} onClick={() => revise.mutate()}>
          {messages.revise}
        </Button>
      )}
    </>
  )
}

/** Links to the former and the newer version of a proposal. */
export function VersionLinks({ proposal: { status, supersedes, supersededBy } }: { proposal: Proposal }) {
  const messages = useMessages(versionMessages)
  return (
    <>
      {supersededBy !== null && (
        <Alert variant="light">
          <VersionLink id={supersededBy} label={messages.supersededBy} />
        </Alert>
      )}
      {supersedes !== null && (
        <Alert variant="light">
          <VersionLink id={supersedes} label={messages.supersedes} />
          {status === 'draft' && <Text size="sm">{messages.supersedesHelp}</Text>}
        </Alert>
      )}
    </>
  )
}

function VersionLink({ id, label }: { id: string; label: (name: string) => string }) {
  const workspace = useWorkspace()
  const { data } = useQuery(proposalQuery(workspace, id))
  return (
    <Anchor
      renderRoot={(props) => (
        <Link {...props} to="/$organization/proposals/$proposalId" params={{ organization: workspace.organization.slug, proposalId: id }} />
      )}
    >
      {label(data?.number ?? '…')}
    </Anchor>
  )
}
