import type { Proposal } from '@groundwork/api'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '../lib/workspace.ts'
import { Page } from '../shell/page.tsx'
import { Loaded, SkeletonRows } from '../shell/states.tsx'
import { useWords } from '../words/words.ts'
import { emptyValues, valuesOf } from './proposal-body.ts'
import { ProposalForm } from './proposal-form.tsx'
import { proposalQuery } from './queries.ts'
import { proposalWords } from './words.ts'

const newRoute = getRouteApi('/$organization/proposals/new')
const editRoute = getRouteApi('/$organization/proposals/$proposalId/edit')

export function NewProposalPage() {
  const words = useWords(proposalWords)
  const { contact = '' } = newRoute.useSearch()
  const [start] = useState(() => ({ ...emptyValues(), contactId: contact }))
  return (
    <Page title={words.newProposal} crumbs={[{ label: words.title, to: '/$organization/proposals' }]}>
      <ProposalForm start={start} />
    </Page>
  )
}

export function EditProposalPage() {
  const words = useWords(proposalWords)
  const { proposalId } = editRoute.useParams()
  const query = useQuery(proposalQuery(useWorkspace(), proposalId))
  const crumbs = [
    { label: words.title, to: '/$organization/proposals' },
    { label: query.data?.title ?? '…', to: '/$organization/proposals/$proposalId', params: { proposalId } },
  ] as const
  return (
    <Page title={words.editTitle} crumbs={crumbs}>
      <Loaded query={query} skeleton={<SkeletonRows />}>
        {(draft) => <EditForm draft={draft} />}
      </Loaded>
    </Page>
  )
}

/** Starts with the draft as it was when the page opened. Conflicting changes are reported on save. */
function EditForm({ draft }: { draft: Proposal }) {
  const [opened] = useState(draft)
  return <ProposalForm start={valuesOf(opened)} draft={opened} />
}
