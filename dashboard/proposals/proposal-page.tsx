import type { Proposal } from '@groundwork/api'
import { Button, Grid, Paper, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { etagOf, PreconditionFailedError } from '@groundwork/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { exactTime } from '../lib/formats.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useChange } from '../shell/change.ts'
import { useConfirm } from '../shell/confirm.tsx'
import { LoadedPage } from '../shell/loaded-page.tsx'
import { Money } from '../shell/money.tsx'
import { Page } from '../shell/page.tsx'
import { useMessages } from '../messages/messages.ts'
import { ContactLink } from './contact-link.tsx'
import { Downloads } from './downloads.tsx'
import { ProposalHistory } from './history.tsx'
import { LineItems } from './line-items.tsx'
import { ProposalMails } from './proposal-mails.tsx'
import { proposalQuery, proposalsKey } from './queries.ts'
import { Questions } from './questions.tsx'
import { Recipients } from './recipients.tsx'
import { sendQuestion } from './send-question.tsx'
import { Signatures } from './signatures.tsx'
import { StatusBadge } from './status-badge.tsx'
import { CopyActions, VersionLinks } from './versions.tsx'
import { ProposalViews } from './views.tsx'
import { VoidProposal } from './void-proposal.tsx'
import { proposalMessages } from './messages.ts'

const route = getRouteApi('/$organization/proposals/$proposalId')

export function ProposalPage() {
  const messages = useMessages(proposalMessages)
  const { proposalId } = route.useParams()
  const query = useQuery(proposalQuery(useWorkspace(), proposalId))
  const mayWrite = useMay('proposals:write')
  const maySeeMails = useMay('members:write')
  const crumbs = [{ label: messages.title, to: '/$organization/proposals' }] as const
  return (
    <LoadedPage query={query} title={messages.title} crumbs={crumbs}>
      {(proposal) => (
        <Page
          guide="proposals"
          title={proposal.title}
          description={proposal.number ?? undefined}
          crumbs={crumbs}
          aside={<StatusBadge status={proposal.status} />}
          actions={
            proposal.status === 'draft' ? (
              mayWrite && <DraftActions draft={proposal} />
            ) : (
              <SentActions proposal={proposal} mayWrite={mayWrite} />
            )
          }
        >
          <Grid gap="xl">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Stack gap="xl">
                <VersionLinks proposal={proposal} />
                <Details proposal={proposal} />
                <Questions proposal={proposal} />
                <Recipients proposal={proposal} />
                {proposal.status === 'completed' && <Signatures proposal={proposal} />}
                {proposal.status !== 'draft' && <ProposalViews proposal={proposal} />}
                {proposal.status !== 'draft' && maySeeMails && <ProposalMails proposalId={proposal.id} />}
              </Stack>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <ProposalHistory proposal={proposal} />
            </Grid.Col>
          </Grid>
        </Page>
      )}
    </LoadedPage>
  )
}

function Details({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const { items, totalAmount, currency, message, contactId, expiresAt } = proposal
  return (
    <Paper withBorder p="md" component="section" aria-label={messages.details}>
      <Stack>
        <Title order={2}>{messages.details}</Title>
        <dl className="offer-facts">
          <dt>{messages.contact}</dt>
          <dd>
            <ContactLink contactId={contactId} />
          </dd>
          <dt>{messages.form.total}</dt>
          <dd>
            <Text fw={700} component="span">
              <Money amount={totalAmount} currency={currency} />
            </Text>
          </dd>
          <dt>{messages.validUntil}</dt>
          <dd>{expiresAt === null ? messages.noExpiry : exactTime(expiresAt)}</dd>
        </dl>
        {items.length > 0 && <LineItems proposal={proposal} />}
        {message !== null && (
          <Text className="wrap" style={{ whiteSpace: 'pre-wrap' }}>
            {message}
          </Text>
        )}
      </Stack>
    </Paper>
  )
}

function SentActions({ proposal, mayWrite }: { proposal: Proposal; mayWrite: boolean }) {
  const messages = useMessages(proposalMessages)
  const [voiding, { open, close }] = useDisclosure()
  return (
    <>
      <Downloads proposal={proposal} />
      {mayWrite && <CopyActions proposal={proposal} />}
      {mayWrite && proposal.allowedTransitions.includes('voided') && (
        <>
          <Button variant="default" onClick={open}>
            {messages.void}
          </Button>
          {voiding && <VoidProposal proposal={proposal} onClose={close} />}
        </>
      )}
    </>
  )
}

function DraftActions({ draft }: { draft: Proposal }) {
  const messages = useMessages(proposalMessages)
  const workspace = useWorkspace()
  const { client, organization } = workspace
  const queries = useQueryClient()
  const navigate = route.useNavigate()
  const confirm = useConfirm()
  const invalidates = (): (readonly string[])[] => [[organization.id, ...proposalsKey]]
  // If-Match ensures that the sent version is the one on screen. After a conflict, the page shows the current version.
  const send = useChange(() => client.proposals.send(draft.id, {}, { headers: { 'If-Match': etagOf(draft) } }), {
    invalidates,
    done: ({ number }) => messages.form.sent(number ?? draft.title),
    refusals: { ...messages.statusRefusals, precondition_failed: messages.changedBeforeSending },
  })
  const remove = useChange(() => client.proposals.delete(draft.id), {
    invalidates,
    refusals: messages.statusRefusals,
    done: messages.removed,
    onDone: () => void navigate({ to: '/$organization/proposals', params: { organization: organization.slug } }),
  })
  const ask = async (): Promise<void> => {
    if (await confirm({ title: messages.removeTitle(draft.title), body: messages.removeBody, action: messages.remove })) remove.mutate()
  }
  const askAndSend = async (): Promise<void> => {
    if (!(await confirm(sendQuestion(draft)))) return
    send.mutate(undefined, {
      onError: (error) => {
        if (error instanceof PreconditionFailedError) void queries.invalidateQueries(proposalQuery(workspace, draft.id))
      },
    })
  }
  return (
    <>
      <Downloads proposal={draft} />
      <Button variant="default" loading={remove.isPending} onClick={() => void ask()}>
        {messages.remove}
      </Button>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$organization/proposals/$proposalId/edit"
            params={{ organization: organization.slug, proposalId: draft.id }}
          />
        )}
      >
        {messages.edit}
      </Button>
      <Button loading={send.isPending} onClick={() => void askAndSend()}>
        {messages.send}
      </Button>
    </>
  )
}
