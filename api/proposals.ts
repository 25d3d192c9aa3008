import { z } from 'zod'
import { someOf } from './field-rules.ts'
import { decimalPattern, type Digits, quantityDigits, taxRateDigits } from './money.ts'
import { proposalStates } from './proposal-states.ts'
import { route } from './route.ts'
import {
  Amount,
  amountInput,
  clearable,
  createdAt,
  currencyInput,
  idInput,
  idOutput,
  momentInput,
  pageOf,
  pageQuery,
  queryTime,
  text,
  Timestamp,
  updatedAt,
} from './schemas.ts'

const decimal = (digits: Digits) => z.string().regex(decimalPattern(digits), `must be a decimal with at most ${digits.decimals} decimals`)

export const ProposalItemInput = z
  .strictObject({
    description: text(1, 500).describe('Product or service of this line.'),
    quantity: decimal(quantityDigits)
      .default('1')
      .meta({ description: 'Quantity as a decimal string: up to 9 digits and at most 3 decimals.', examples: ['3'] }),
    unitPrice: amountInput.describe('Net price of one unit as a decimal string, with at most 2 decimals.'),
    discount: amountInput.optional().meta({
      description: 'Discount on the whole line before tax, at most quantity × unitPrice. No discount by default.',
      examples: ['50.00'],
    }),
    taxRate: decimal(taxRateDigits)
      .optional()
      .meta({ description: 'Tax rate in per cent as a decimal string. No tax by default.', examples: ['19'] }),
    optional: z.boolean().default(false).describe('true offers the line as an option; it does not count towards the total.'),
  })
  .meta({ id: 'ProposalItemInput', description: 'A line of a proposal: total = (quantity × unitPrice − discount) × (1 + taxRate / 100).' })
export type ProposalItemInput = z.output<typeof ProposalItemInput>

export const ProposalItem = z
  .object({
    description: z.string().describe('Product or service of this line.'),
    quantity: z.string().meta({ description: 'Quantity as a decimal string without trailing zeros.', examples: ['3'] }),
    unitPrice: Amount.describe('Net price of one unit: a decimal string with two decimals.'),
    discount: Amount.describe('Discount on the whole line before tax: a decimal string with two decimals; `0.00` without one.'),
    taxRate: z.string().meta({ description: 'Tax rate in per cent as a decimal string; `0` without tax.', examples: ['19'] }),
    optional: z.boolean().describe('Whether the line is an option that does not count towards the total.'),
    total: Amount.describe('Gross total of the line, rounded half up: a decimal string with two decimals.'),
  })
  .meta({ id: 'ProposalItem', description: 'A line of a proposal: total = (quantity × unitPrice − discount) × (1 + taxRate / 100).' })

export type ProposalItem = z.input<typeof ProposalItem>

export const ProposalRecipient = z
  .object({
    id: idOutput('rcp'),
    role: z.enum(['signer', 'copy']).describe('`signer`: accepts or declines the proposal; `copy`: only receives it.'),
    name: z.string().nullable().describe('Name of the contact when the proposal was sent; null without one.'),
    email: z.string().nullable().describe('E-mail address of the contact when the proposal was sent; null without one.'),
    status: z
      .enum(['waiting', 'pending', 'viewed', 'signed', 'declined'])
      .describe(
        '`waiting`: the proposal is a draft; `pending`: not opened yet; `viewed`: opened; `signed` and `declined`: the answer of the recipient.',
      ),
    url: z.string().nullable().meta({
      description:
        'Page of the proposal for this recipient; null for a draft. Anyone with the URL can answer in the name of the recipient, so treat it like a password.',
    }),
    viewedAt: Timestamp.nullable().describe('Time at which the recipient first opened the proposal; null until then.'),
    signedAt: Timestamp.nullable().describe('Time of acceptance by this recipient; null without it.'),
  })
  .meta({ id: 'ProposalRecipient', description: 'A recipient of a proposal, with a link and an answer.' })
export type ProposalRecipient = z.input<typeof ProposalRecipient>

export const Proposal = z
  .object({
    id: idOutput('prp'),
    number: z
      .string()
      .nullable()
      .meta({
        description: 'Number assigned when the proposal is sent, consecutive within the organization; null until then.',
        examples: ['P-1042'],
      }),
    title: z.string().describe('Title of the offer.'),
    contactId: idOutput('ctc').describe('Id of the recipient.'),
    totalAmount: Amount.describe(
      'Total of all lines that are not optional, or the given amount of a proposal without lines. Two decimals.',
    ),
    currency: z.string().meta({ description: 'Currency of all amounts (ISO 4217).', examples: ['EUR'] }),
    status: z
      .enum(proposalStates)
      .describe(
        '`draft`: not sent yet and still editable; `pending`: sent; `completed` and `rejected`: the answer of the recipient; `expired`: `expiresAt` has passed; `voided`: withdrawn.',
      ),
    items: z.array(ProposalItem).describe('Lines, in the given order; empty if only a total was given.'),
    message: z.string().nullable().describe('Message to the recipient, part of the offer; null without one.'),
    externalId: z.string().nullable().describe('Your own id of the proposal, unique in the organization; null without one.'),
    url: z.string().nullable().meta({
      description:
        'Page on which the first signer reads and answers the proposal; null for a draft. Anyone with the URL can answer, so treat it like a password.',
    }),
    recipients: z
      .array(ProposalRecipient)
      .describe('Recipients in order, the contact first. Empty in events that are older than this field.'),
    sentAt: Timestamp.nullable().describe('Time of sending; null for a draft.'),
    viewedAt: Timestamp.nullable().describe('Reserved for the time at which the recipient opened the proposal. Null at present.'),
    completedAt: Timestamp.nullable().describe('Reserved for the time of acceptance. Null at present.'),
    rejectedAt: Timestamp.nullable().describe('Reserved for the time of rejection. Null at present.'),
    expiresAt: Timestamp.nullable().describe('Time at which a pending proposal becomes `expired`; null if it does not expire.'),
    voidedAt: Timestamp.nullable().describe('Time of voiding; null unless voided.'),
    voidReason: z.string().nullable().describe('Reason given when voiding; null unless voided.'),
    allowedTransitions: z.array(z.enum(proposalStates)).describe('States that this proposal can change to; empty in a final state.'),
    contentHash: z
      .string()
      .describe('SHA-256 in hexadecimal of the offer as canonical JSON (RFC 8785). It no longer changes once the proposal is sent.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Proposal', description: 'A priced offer to a contact.' })
export type Proposal = z.input<typeof Proposal>

const offer = {
  title: text(1, 200).describe('Title of the offer.'),
  contactId: idInput('ctc').describe('Id of the recipient, an existing contact.'),
  totalAmount: amountInput
    .optional()
    .describe('Total as a decimal string with at most 2 decimals. Required without `items`; otherwise it must equal their sum.'),
  currency: currencyInput
    .optional()
    .meta({ description: "Currency of all amounts (ISO 4217). The organization's default currency by default." }),
  items: clearable(z.array(ProposalItemInput).min(1).max(200)).describe('Lines of the proposal, 1 to 200. null removes all lines.'),
  message: clearable(text(1, 5000)).describe('Message to the recipient, part of the offer. null clears it.'),
  externalId: clearable(text(1, 200)).describe('Your own id of the proposal, unique in the organization. null clears it.'),
  expiresAt: clearable(momentInput).describe('Time in the future at which the pending proposal expires. null means never.'),
}

export const CreateProposal = someOf(
  z.strictObject({
    ...offer,
    draft: z.boolean().default(false).describe('true creates a draft to be sent later; false sends the proposal at once.'),
  }),
  [['totalAmount'], ['items']],
  { field: 'totalAmount', message: 'is required unless items are given' },
).meta({
  id: 'CreateProposal',
  description: 'A new proposal. `totalAmount` or `items` are required. Totals have at most 12 digits before the decimal point.',
  examples: [
    { title: 'Three days of bicycles', contactId: 'ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', totalAmount: '1260.00', currency: 'EUR' },
  ],
})
export type CreateProposal = z.output<typeof CreateProposal>

export const UpdateProposal = z
  .strictObject(offer)
  .partial()
  .meta({
    id: 'UpdateProposal',
    description: 'Changes to a draft. Omitted fields keep their values. New `items` replace all former lines.',
    examples: [{ title: 'Four days of bicycles', totalAmount: '1580.00' }],
  })
export type UpdateProposal = z.output<typeof UpdateProposal>

export const VoidProposal = z
  .strictObject({ reason: text(1, 500).describe('Reason for voiding; it becomes `voidReason`.') })
  .meta({ id: 'VoidProposal', description: 'The reason for voiding a proposal.', examples: [{ reason: 'The dates have changed' }] })

export const proposalSorts = [
  '-createdAt',
  'createdAt',
  '-sentAt',
  'sentAt',
  '-expiresAt',
  'expiresAt',
  '-totalAmount',
  'totalAmount',
] as const
export type ProposalSort = (typeof proposalSorts)[number]

const conditions = {
  status: z.enum(proposalStates).optional().describe('Only proposals with this status.'),
  contactId: idInput('ctc').optional().describe('Only proposals to this contact.'),
  currency: currencyInput.optional().describe('Only proposals in this currency (ISO 4217).'),
  q: text(1, 200)
    .optional()
    .meta({ description: 'Only proposals with this text in the title, the message or the number, in any case.', examples: ['P-1042'] }),
  createdAfter: queryTime.optional().meta({ description: 'Only proposals created at or after this time.' }),
  createdBefore: queryTime.optional().meta({ description: 'Only proposals created before this time.' }),
  sentAfter: queryTime.optional().meta({ description: 'Only proposals sent at or after this time.' }),
  sentBefore: queryTime.optional().meta({ description: 'Only proposals sent before this time.' }),
  minTotal: amountInput.optional().describe('Only proposals with at least this total, in their own currency.'),
  maxTotal: amountInput.optional().describe('Only proposals with at most this total, in their own currency.'),
}

const ListProposals = z.strictObject({
  ...pageQuery,
  ...conditions,
  sort: z
    .enum(proposalSorts)
    .default('-createdAt')
    .describe(
      'Order of the list; `-` means descending. A proposal that was not sent, or that does not expire, counts as the latest. `-createdAt` by default.',
    ),
})
export type ListProposals = z.output<typeof ListProposals>

const TotalProposals = z.strictObject(conditions)
export type TotalProposals = z.output<typeof TotalProposals>

const ProposalTotals = z
  .object({
    data: z
      .array(
        z.object({
          status: z.enum(proposalStates).describe('Status of these proposals.'),
          currency: z.string().meta({ description: 'Currency of these proposals (ISO 4217).', examples: ['EUR'] }),
          count: z.int().describe('Number of proposals.'),
          totalAmount: z
            .string()
            .meta({ description: 'Sum of their totals as a decimal string with two decimals.', examples: ['48200.00'] }),
        }),
      )
      .describe('One entry for each status and currency that occurs.'),
  })
  .meta({ id: 'ProposalTotals', description: 'Numbers and sums of proposals by status and currency.' })
export type ProposalTotals = z.input<typeof ProposalTotals>

const params = z.object({ id: idInput('prp') })

export const proposals = {
  create: route({
    method: 'POST',
    path: '/v1/proposals',
    summary: 'Create a proposal',
    description: 'Sends the proposal at once unless `draft` is true. 409 if another proposal has the `externalId`.',
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
    description: 'Newest first unless `sort` is given. A cursor belongs to its `sort`.',
    scope: 'proposals:read',
    query: ListProposals,
    status: 200,
    reply: pageOf(Proposal),
  }),
  totals: route({
    method: 'GET',
    path: '/v1/proposals/totals',
    summary: 'Sum proposals by status and currency',
    description: 'Counts and sums the proposals that meet the filters of the list.',
    scope: 'proposals:read',
    query: TotalProposals,
    status: 200,
    reply: ProposalTotals,
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
    summary: 'Update a draft',
    description: '409 if the proposal is not a draft, or if another proposal has the `externalId`.',
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
    description: '409 if the proposal is not a draft. Sent proposals can be voided instead.',
    scope: 'proposals:write',
    params,
    status: 204,
    errors: ['conflict'],
  }),
  send: route({
    method: 'POST',
    path: '/v1/proposals/{id}/send',
    summary: 'Send a draft',
    description:
      'Assigns the number and makes the proposal `pending`. 409 if it is not a draft, if its contact was deleted, or if `expiresAt` has passed.',
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
    description: 'The proposal stays readable with its reason. 409 in any other state.',
    scope: 'proposals:write',
    params,
    body: VoidProposal,
    status: 200,
    reply: Proposal,
    errors: ['conflict'],
  }),
}
