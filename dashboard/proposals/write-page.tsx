import type { Organization, Proposal } from '@groundwork/api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { Page } from '../shell/page.tsx'
import { isNotFound, RecordPage } from '../shell/record-gone.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { newValues, valuesOf } from './proposal-body.ts'
import { ProposalForm } from './proposal-form.tsx'
import { organizationQuery, proposalQuery } from './queries.ts'
import { proposalMessages } from './messages.ts'

const newRoute = getRouteApi('/$organization/proposals/new')
const editRoute = getRouteApi('/$organization/proposals/$proposalId/edit')

export function NewProposalPage() {
  const messages = useMessages(proposalMessages)
  const { contact = '' } = newRoute.useSearch()
  const query = useQuery(organizationQuery(useWorkspace()))
  return (
    <Page title={messages.newProposal} crumbs={[{ label: messages.title, to: '/$organization/proposals' }]}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(organization) => <NewForm organization={organization} contactId={contact} />}
      </Loaded>
    </Page>
  )
}

/** Starts with the defaults of the organization as they were when the page opened. */
function NewForm({ organization, contactId }: { organization: Organization; contactId: string }) {
  const [start] = useState(() => ({ ...newValues(organization), contactId }))
  return <ProposalForm start={start} />
}

export function EditProposalPage() {
  const messages = useMessages(proposalMessages)
  const { proposalId } = editRoute.useParams()
  const query = useQuery(proposalQuery(useWorkspace(), proposalId))
  const list = { label: messages.title, to: '/$organization/proposals' } as const
  const draft = { label: query.data?.title ?? '…', to: '/$organization/proposals/$proposalId', params: { proposalId } } as const
  return (
    <RecordPage query={query}>
      <Page guide="proposals" title={messages.editTitle} crumbs={isNotFound(query.error) ? [list] : [list, draft]}>
        <Loaded query={query} skeleton={<SkeletonRows />}>
          {(data) => <EditForm draft={data} />}
        </Loaded>
      </Page>
    </RecordPage>
  )
}

/** Starts with the draft as it was when the page opened. Conflicting changes are reported on save. */
function EditForm({ draft }: { draft: Proposal }) {
  const [opened] = useState(draft)
  return <ProposalForm start={valuesOf(opened)} draft={opened} />
}
