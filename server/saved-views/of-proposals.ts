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

const views = savedViews<Row, ProposalListView, CreateProposalListView, UpdateProposalListView>({
  table: 'proposal_list_view',
  prefix: 'plv',
  of: 'proposals',
  toView: (row) => ({
    id: wireId('plv', row.id),
    name: row.name,
    filter: withWireId(row.filter),
    q: row.q,
    sort: row.sort,
    shared: row.shared,
    ownerId: row.owner_id === null ? null : wireId('usr', row.owner_id),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }),
})

const withWireId = (filter: Selectable<ProposalListViewTable>['filter']): ProposalListView['filter'] =>
  filter === null ? null : { ...filter, ...(filter.contactId !== undefined && { contactId: wireId('ctc', filter.contactId) }) }

export const proposalListViewHandlers: Handlers<GroundworkApi>['proposalListViews'] = {
  list: (ctx, { query }) => views.list(ctx, query),
  create: (ctx, { body }) => views.create(ctx, body),
  get: (ctx, { params }) => views.get(ctx, params.id),
  update: (ctx, { params, body }) => views.update(ctx, params.id, body),
  delete: (ctx, { params }) => views.delete(ctx, params.id),
}
