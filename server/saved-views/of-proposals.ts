import {
  wireId,
  type CreateProposalListView,
  type GroundworkApi,
  type ProposalListView,
  type ProposalSort,
  type UpdateProposalListView,
} from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { ProposalListViewTable } from '../db/schema.ts'
import type { Handlers } from '../handlers.ts'
import { savedViews } from './views.ts'

/** The API takes no other orders. */
type Row = Selectable<ProposalListViewTable> & { sort: ProposalSort }

export const proposalListViewHandlers: Handlers<GroundworkApi>['proposalListViews'] = savedViews<
  Row,
  ProposalListView,
  CreateProposalListView,
  UpdateProposalListView
>({
  table: 'proposal_list_view',
  ownFields: ({ filter, sort }) => ({ filter: withWireId(filter), sort }),
})

const withWireId = (filter: Selectable<ProposalListViewTable>['filter']): ProposalListView['filter'] =>
  filter === null ? null : { ...filter, ...(filter.contactId !== undefined && { contactId: wireId('ctc', filter.contactId) }) }
