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
  const [{ start, timeZone }] = useState(() => ({ start: { ...newValues(organization), contactId }, timeZone: organization.timeZone }))
  return <ProposalForm start={start} timeZone={timeZone} />
}

export function EditProposalPage() {
  const messages = useMessages(proposalMessages)
  const { proposalId } = editRoute.useParams()
  const workspace = useWorkspace()
  const query = useQuery(proposalQuery(workspace, proposalId))
  const organization = useQuery(organizationQuery(workspace))
  const list = { label: messages.title, to: '/$organization/proposals' } as const
  const draft = { label: query.data?.title ?? '…', to: '/$organization/proposals/$proposalId', params: { proposalId } } as const
  return (
    <RecordPage query={query}>
      <Page guide="proposals" title={messages.editTitle} crumbs={isNotFound(query.error) ? [list] : [list, draft]}>
        <Loaded query={query} skeleton={<SkeletonRows />}>
          {(data) => (
            <Loaded query={organization} skeleton={<SkeletonRows />}>
              {({ timeZone }) => <EditForm draft={data} timeZone={timeZone} />}
            </Loaded>
          )}
        </Loaded>
      </Page>
    </RecordPage>
  )
}

/** Starts with the draft and the time zone as they were when the page opened. Conflicting changes are reported on save. */
function EditForm(props: { draft: Proposal; timeZone: string }) {
  const [{ draft, timeZone }] = useState(props)
  return <ProposalForm start={valuesOf(draft, timeZone)} timeZone={timeZone} draft={draft} />
}
