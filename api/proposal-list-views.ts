import { z } from 'zod'
import { proposalConditions, proposalSorts } from './proposals.ts'
import { proposalStates } from './proposal-states.ts'
import { changedViewFields, newViewFields, viewFields, viewRoutes } from './saved-views.ts'
import { amountInput, clearable, idOutput, boundInput } from './schemas.ts'

const { q: _, ...conditions } = proposalConditions

/** The conditions of the list of proposals besides its search text. */
const NewFilter = z.strictObject(conditions).meta({
  id: 'ProposalListFilter',
  description: 'Conditions on proposals, as in `GET /v1/proposals`. A proposal meets all of them.',
  examples: [{ status: 'pending', minTotal: '1000.00' }],
})
export type ProposalListFilter = z.output<typeof NewFilter>

const { id, name, q, ...others } = viewFields('plv')

const Filter = z
  .object({
    status: z.enum(proposalStates).optional().describe('Only proposals with this status.'),
    contactId: idOutput('ctc').optional().describe('Only proposals to this contact: `ctc_` and a UUID.'),
    currency: z.string().optional().describe('Only proposals in this currency (ISO 4217).'),
    createdAfter: boundInput.optional().describe('Only proposals created at or after this time.'),
    createdBefore: boundInput.optional().describe('Only proposals created before this time.'),
    sentAfter: boundInput.optional().describe('Only proposals sent at or after this time.'),
    sentBefore: boundInput.optional().describe('Only proposals sent before this time.'),
    completedAfter: boundInput.optional().describe('Only proposals accepted at or after this time.'),
    completedBefore: boundInput.optional().describe('Only proposals accepted before this time.'),
    minTotal: amountInput.optional().describe('Only proposals with at least this total, in their own currency.'),
    maxTotal: amountInput.optional().describe('Only proposals with at most this total, in their own currency.'),
  })
  .meta({ id: 'SavedProposalListFilter', description: 'Conditions on proposals. A proposal meets all of them.' })

export const ProposalListView = z
  .object({
    id,
    name,
    filter: Filter.nullable().describe('Conditions on the proposals, as in `GET /v1/proposals`; null for all proposals.'),
    q,
    sort: z.enum(proposalSorts).describe('Order of the proposals; `-` means descending.'),
    ...others,
  })
  .meta({ id: 'ProposalListView', description: 'A saved view of the list of proposals.' })
export type ProposalListView = z.input<typeof ProposalListView>

const filter = clearable(NewFilter).describe(
  'Conditions on the proposals, as in `GET /v1/proposals`. They replace all former ones. null clears them.',
)
const sort = z.enum(proposalSorts).describe('Order of the proposals; `-` means descending.')

export const CreateProposalListView = z
  .strictObject({
    name: newViewFields.name,
    filter,
    q: newViewFields.q,
    sort: sort.default('-createdAt'),
    shared: newViewFields.shared,
  })
  .meta({
    id: 'CreateProposalListView',
    description: 'A new view.',
    examples: [{ name: 'Large offers', filter: { status: 'pending', minTotal: '1000.00' }, sort: 'expiresAt' }],
  })
export type CreateProposalListView = z.output<typeof CreateProposalListView>

export const UpdateProposalListView = z
  .strictObject({
    name: changedViewFields.name,
    filter,
    q: changedViewFields.q,
    sort: sort.optional(),
    shared: changedViewFields.shared,
  })
  .meta({
    id: 'UpdateProposalListView',
    description: 'Changes to a view. Omitted fields keep their values.',
    examples: [{ filter: { status: 'draft' }, shared: true }],
  })
export type UpdateProposalListView = z.output<typeof UpdateProposalListView>

export const proposalListViews = viewRoutes({
  path: '/v1/proposal-list-views',
  prefix: 'plv',
  of: 'proposals',
  scopes: { read: 'proposals:read', write: 'proposals:write' },
  view: ProposalListView,
  create: CreateProposalListView,
  update: UpdateProposalListView,
})
