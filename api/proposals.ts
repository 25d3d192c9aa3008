import { z } from 'zod'
import { someOf } from './field-rules.ts'
import { decimalPattern, type Digits, quantityDigits, taxRateDigits } from './money.ts'
import { route } from './route.ts'
import {
  Amount,
  amountInput,
  clearable,
  currencyInput,
  idInput,
  idOutput,
  momentInput,
  pageOf,
  pageQuery,
  text,
  Timestamp,
} from './schemas.ts'

export const proposalStates = ['draft', 'pending', 'completed', 'rejected', 'expired', 'voided'] as const
export type ProposalStatus = (typeof proposalStates)[number]

const decimal = (digits: Digits) => z.string().regex(decimalPattern(digits), `must be a decimal with at most ${digits.decimals} decimals`)

export const ProposalItemInput = z
  .strictObject({
    description: text(1, 500),
    quantity: decimal(quantityDigits)
      .default('1')
      .meta({ description: 'Up to three decimals', examples: ['3'] }),
    unitPrice: amountInput,
    discount: amountInput
      .optional()
      .meta({ description: 'An amount off the line, before tax; at most quantity × unitPrice', examples: ['50.00'] }),
    taxRate: decimal(taxRateDigits)
      .optional()
      .meta({ description: 'Per cent', examples: ['19'] }),
    optional: z.boolean().default(false).meta({ description: 'Optional lines do not count towards the total' }),
  })
  .meta({ id: 'ProposalItemInput' })
export type ProposalItemInput = z.output<typeof ProposalItemInput>

export const ProposalItem = z
  .object({
    description: z.string(),
    quantity: z.string(),
    unitPrice: Amount,
    discount: Amount,
    taxRate: z.string(),
    optional: z.boolean(),
    total: Amount,
  })
  .meta({ id: 'ProposalItem' })
export type ProposalItem = z.input<typeof ProposalItem>

export const Proposal = z
  .object({
    id: idOutput('prp'),
    number: z
      .string()
      .nullable()
      .meta({ description: 'Given when the proposal is sent, without gaps; null for a draft', examples: ['P-1042'] }),
    title: z.string(),
    contactId: idOutput('ctc'),
    totalAmount: Amount,
    currency: z.string(),
    status: z.enum(proposalStates),
    items: z.array(ProposalItem),
    message: z.string().nullable(),
    externalId: z.string().nullable(),
    sentAt: Timestamp.nullable(),
    viewedAt: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    rejectedAt: Timestamp.nullable(),
    expiresAt: Timestamp.nullable(),
    voidedAt: Timestamp.nullable(),
    voidReason: z.string().nullable(),
    allowedTransitions: z.array(z.enum(proposalStates)).meta({ description: 'States that this proposal can still reach' }),
    contentHash: z.string().meta({ description: 'SHA-256, hexadecimal, of what the recipient is offered; final once it is sent' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Proposal' })
export type Proposal = z.input<typeof Proposal>

const offer = {
  title: text(1, 200),
  contactId: idInput('ctc'),
  totalAmount: amountInput.optional().meta({ description: 'Required without items; has to be what they come to where both are given' }),
  currency: currencyInput.optional().meta({ description: "ISO 4217; the organization's by default" }),
  items: clearable(z.array(ProposalItemInput).min(1).max(200)),
  message: clearable(text(1, 5000)),
  externalId: clearable(text(1, 200)),
  expiresAt: clearable(momentInput).meta({ description: 'In the future' }),
}

export const CreateProposal = someOf(
  z.strictObject({ ...offer, draft: z.boolean().default(false).meta({ description: 'true: keep it, to be sent later' }) }),
  [['totalAmount'], ['items']],
  { field: 'totalAmount', message: 'is required unless there are items' },
).meta({
  id: 'CreateProposal',
  description: 'totalAmount or items are required. What a line and all of them come to has to be an amount too.',
  examples: [
    { title: 'Three days of bicycles', contactId: 'ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', totalAmount: '1260.00', currency: 'EUR' },
  ],
})
export type CreateProposal = z.output<typeof CreateProposal>

export const UpdateProposal = z
  .strictObject(offer)
  .partial()
  .meta({ id: 'UpdateProposal', examples: [{ title: 'Four days of bicycles', totalAmount: '1580.00' }] })
export type UpdateProposal = z.output<typeof UpdateProposal>

export const VoidProposal = z
  .strictObject({ reason: text(1, 500) })
  .meta({ id: 'VoidProposal', examples: [{ reason: 'The dates have changed' }] })

const ListProposals = z.strictObject({
  ...pageQuery,
  status: z.enum(proposalStates).optional(),
  contactId: idInput('ctc').optional(),
  q: text(1, 200).optional().meta({ description: 'In the title, the message or the number' }),
})
export type ListProposals = z.output<typeof ListProposals>

const params = z.object({ id: idInput('prp') })

export const proposals = {
  create: route({
    method: 'POST',
    path: '/v1/proposals',
    summary: 'Create and send a proposal',
    scope: 'proposals:write',
    body: CreateProposal,
    status: 201,
    reply: Proposal,
    errors: ['conflict'],
  }),
  list: route({
    method: 'GET',
    path: '/v1/proposals',
    summary: 'List proposals',
    scope: 'proposals:read',
    query: ListProposals,
    status: 200,
    reply: pageOf(Proposal),
  }),
  get: route({
    method: 'GET',
    path: '/v1/proposals/{id}',
    summary: 'Get a proposal',
    scope: 'proposals:read',
    params,
    status: 200,
    reply: Proposal,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/proposals/{id}',
    summary: 'Change a draft',
    scope: 'proposals:write',
    params,
    body: UpdateProposal,
    status: 200,
    reply: Proposal,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/proposals/{id}',
    summary: 'Delete a draft',
    scope: 'proposals:write',
    params,
    status: 204,
    errors: ['conflict'],
  }),
  send: route({
    method: 'POST',
    path: '/v1/proposals/{id}/send',
    summary: 'Send a draft',
    scope: 'proposals:write',
    params,
    status: 200,
    reply: Proposal,
    errors: ['conflict'],
  }),
  void: route({
    method: 'POST',
    path: '/v1/proposals/{id}/void',
    summary: 'Void a draft or a pending proposal',
    scope: 'proposals:write',
    params,
    body: VoidProposal,
    status: 200,
    reply: Proposal,
    errors: ['conflict'],
  }),
}
