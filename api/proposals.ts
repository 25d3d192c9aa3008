import { z } from 'zod'
import { neededBeside, notBoth, onlyIfGiven, someOf } from './field-rules.ts'
import { percentInput, ProposalItem, ProposalItemInput, proposalTotals, withWholeAmounts } from './proposal-items.ts'
import { pagePreviewFields, ProposalPagePreview } from './proposal-page-previews.ts'
import { ProposalPreview } from './proposal-previews.ts'
import {
  CountersignProposal,
  deliveredAtOutput,
  deliveryOutput,
  ProposalRecipient,
  signingInput,
  signingOutput,
} from './proposal-recipients.ts'
import { ProposalSection, ProposalSectionsInput } from './proposal-sections.ts'
import { proposalStates } from './proposal-states.ts'
import { proposalViews } from './proposal-views.ts'
import { route } from './route.ts'
import {
  Amount,
  amountInput,
  clearable,
  createdAt,
  currencyInput,
  idInput,
  idOutput,
  timestampInput,
  pageOf,
  pageQuery,
  queryTime,
  text,
  Timestamp,
  updatedAt,
} from './schemas.ts'

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
    contactId: idOutput('ctc').describe('Id of the contact, the first signer.'),
    totalAmount: Amount.describe(
      'Total with tax of all lines that are not optional or that are preselected, or the given amount of a proposal without lines. Two decimals.',
    ),
    ...proposalTotals,
    currency: z.string().meta({ description: 'Currency of all amounts (ISO 4217).', examples: ['EUR'] }),
    status: z
      .enum(proposalStates)
      .describe(
        '`draft`: not sent yet and still editable; `pending`: sent; `completed`: everyone has signed; `rejected`: a signer has declined; `expired`: `expiresAt` has passed; `voided`: withdrawn, or replaced by `supersededBy`.',
      ),
    items: z.array(ProposalItem).describe('Lines, in the given order; empty if only a total was given.'),
    sections: z
      .array(ProposalSection)
      .describe('Texts, terms and the place of the lines, in order; empty without any. Lines without a place follow after all sections.'),
    message: z.string().nullable().describe('Message to the recipient, part of the offer; null without one.'),
    externalId: z.string().nullable().describe('Your own id of the proposal, unique in the organization; null without one.'),
    url: z.string().nullable().meta({
      description:
        'Page on which the first signer reads and answers the proposal; null for a draft. Anyone with the URL can answer, so treat it like a password.',
    }),
    recipients: z
      .array(ProposalRecipient)
      .describe('Recipients in order, the contact first. Empty in events that are older than this field.'),
    ...signingOutput,
    sentAt: Timestamp.nullable().describe('Time of sending; null for a draft.'),
    delivery: deliveryOutput.describe('State of the email to the first signer; null for a draft.'),
    deliveredAt: deliveredAtOutput.describe('Time at which the mail server accepted the email to the first signer; null until then.'),
    viewedAt: Timestamp.nullable().describe(
      'Time at which a recipient first opened or answered the proposal; null until then. Link previews and other programs do not count.',
    ),
    completedAt: Timestamp.nullable().describe('Time of acceptance, which is that of the last signature; null without it.'),
    rejectedAt: Timestamp.nullable().describe('Time at which a signer declined; null without it.'),
    expiresAt: Timestamp.nullable().describe('Time at which a pending proposal becomes `expired`; null if it does not expire.'),
    voidedAt: Timestamp.nullable().describe('Time of voiding; null unless voided.'),
    rejectReason: z.string().nullable().describe('Reason that the recipient gave when declining; null without one.'),
    voidReason: z
      .string()
      .nullable()
      .describe('Reason given when voiding, or the number of the version that replaced it; null unless voided.'),
    supersedes: idOutput('prp').nullable().describe('Id of the proposal that this one revises; null if it is no revision.'),
    supersededBy: idOutput('prp').nullable().describe('Id of the sent revision that replaces this proposal; null without one.'),
    allowedTransitions: z.array(z.enum(proposalStates)).describe('States that this proposal can change to; empty in a final state.'),
    contentHash: z
      .string()
      .describe(
        'SHA-256 in hexadecimal of the offer as canonical JSON (RFC 8785). The offer has these fields of the record: `currency`, `expiresAt`, `items`, `message`, `number`, `title` and `totalAmount`; if `contentVersion` is 2 or 3, also `contentVersion`, `discount`, `discountPercent`, `discountTotal`, `pricesIncludeTax`, `subtotal`, `taxTotal` and `taxes`; if it is 3, also `sections`. If it is 1, items have only `description`, `discount`, `optional`, `quantity`, `taxRate`, `total` and `unitPrice`. Once the proposal is sent, the hash changes only if the first signer accepts other options or quantities: then `items` and the totals are the chosen ones, and the hash is that of the certificate.',
      ),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Proposal', description: 'A priced offer to a contact.' })
export type Proposal = z.input<typeof Proposal>

const offer = {
  title: text(1, 200).describe('Title of the offer.'),
  contactId: idInput('ctc').describe('Id of the recipient, an existing contact.'),
  ...signingInput,
  totalAmount: amountInput
    .optional()
    .describe('Total as a decimal string with at most 2 decimals. Required without `items`; otherwise it must equal their sum.'),
  currency: currencyInput
    .optional()
    .meta({ description: "Currency of all amounts (ISO 4217). The organization's default currency by default." }),
  items: clearable(z.array(ProposalItemInput).min(1).max(200)).describe('Lines of the proposal, 1 to 200. null removes all lines.'),
  pricesIncludeTax: z
    .boolean()
    .optional()
    .describe('Whether unit prices and discounts include tax. Then the total is their sum, and taxes are part of it. false by default.'),
  discount: clearable(amountInput).describe(
    'Discount on the whole, at most the sum of the lines, divided between lines with different taxes in proportion to their amounts. null clears it.',
  ),
  discountPercent: clearable(percentInput).describe(
    'Discount on the whole in per cent of the sum of the lines, instead of `discount`. null clears it.',
  ),
  message: clearable(text(1, 5000)).describe('Message to the recipient, part of the offer. null clears it.'),
  sections: clearable(ProposalSectionsInput).describe(
    'Texts, terms and the place of the lines, in order: at most 30 sections. They follow the message. Lines without a place follow after all sections. null removes all sections. A new proposal has the lines and the `defaultTerms` of the organization by default, if there are any.',
  ),
  externalId: clearable(text(1, 200)).describe('Your own id of the proposal, unique in the organization. null clears it.'),
  expiresAt: clearable(timestampInput).describe(
    'Time in the future at which the pending proposal expires. null means never. In a new proposal, it follows from `expiryDays` of the organization by default.',
  ),
}

const oneDiscount = { field: 'discountPercent', message: 'cannot be combined with discount' }

const newProposal = notBoth(
  someOf(
    z.strictObject({
      ...offer,
      draft: z.boolean().default(false).describe('true creates a draft to be sent later; false sends the proposal at once.'),
      requireDelivery: z
        .boolean()
        .default(false)
        .describe(
          'true refuses to send a proposal that cannot be mailed, with 422: the contact has no email address, or no mail server is configured. Without it, such a proposal is `pending` with the delivery state `withheld`.',
        ),
    }),
    [['totalAmount'], ['items']],
    { field: 'totalAmount', message: 'is required unless items are given' },
  ),
  'discount',
  oneDiscount,
)

export const CreateProposal = withWholeAmounts(onlyIfGiven(newProposal, 'items', ['discount', 'discountPercent'])).meta({
  id: 'CreateProposal',
  description:
    'A new proposal. `totalAmount` or `items` are required. Totals have at most 12 digits before the decimal point. Amounts in currencies without decimals, such as JPY, are whole numbers (`100` or `100.00`).',
  examples: [
    { title: 'Three days of bicycles', contactId: 'ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8', totalAmount: '1260.00', currency: 'EUR' },
  ],
})
export type CreateProposal = z.output<typeof CreateProposal>

/** A change that removes the lines, or gives a total in place of lines, cannot have a discount. */
const changesOf = <Fields extends z.ZodRawShape>(fields: Fields) =>
  neededBeside(
    notBoth(z.strictObject(fields).partial(), 'discount', oneDiscount),
    'items',
    ['discount', 'discountPercent'],
    ['items', 'totalAmount'],
  )

export const UpdateProposal = withWholeAmounts(changesOf(offer)).meta({
  id: 'UpdateProposal',
  description:
    'Changes to a draft. Omitted fields keep their values. New `items` replace all former lines, and new `sections` all former sections. A new `discount` replaces a former `discountPercent`, and the reverse. Removing all lines removes the discount.',
  examples: [{ title: 'Four days of bicycles', totalAmount: '1580.00' }],
})
export type UpdateProposal = z.output<typeof UpdateProposal>

/** The preview shows the page of the first signer. */
const { shape: pageFields } = z.strictObject(offer).omit({ recipients: true, signingOrder: true, counterSignature: true })

export const PreviewProposalPage = withWholeAmounts(changesOf({ ...pageFields, ...pagePreviewFields })).meta({
  id: 'PreviewProposalPage',
  description: 'The content of a page. Everything can be left out.',
  examples: [{ title: 'Three days of bicycles', totalAmount: '1260.00', organization: { color: '#1f5f8b' } }],
})
export type PreviewProposalPage = z.output<typeof PreviewProposalPage>

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

/** The conditions of the list of proposals, as query parameters. */
export const proposalConditions = {
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
  completedAfter: queryTime.optional().meta({ description: 'Only proposals accepted at or after this time.' }),
  completedBefore: queryTime.optional().meta({ description: 'Only proposals accepted before this time.' }),
  minTotal: amountInput.optional().describe('Only proposals with at least this total, in their own currency.'),
  maxTotal: amountInput.optional().describe('Only proposals with at most this total, in their own currency.'),
}

const SendProposal = z
  .strictObject({
    expectContentHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be a contentHash: 64 hexadecimal digits in lower case')
      .optional()
      .describe(
        '`contentHash` of the draft as you read it. If the draft has another content by now, the answer is 412. Not checked by default.',
      ),
  })
  .meta({
    id: 'SendProposal',
    description: 'The content that you expect to send. The body can be left out.',
    examples: [{ expectContentHash: '7841c3a4d7157f8890df9af487a49a7d2d2a65e8ff85a8d89ea83ccbed5f2618' }],
  })
export type SendProposal = z.output<typeof SendProposal>

const sort = z
  .enum(proposalSorts)
  .default('-createdAt')
  .describe(
    'Order of the list; `-` means descending. A proposal that was not sent, or that does not expire, counts as the latest. `-createdAt` by default.',
  )

const ListProposals = z.strictObject({ ...pageQuery, ...proposalConditions, sort })
export type ListProposals = z.output<typeof ListProposals>

const ExportProposals = z.strictObject({ ...proposalConditions, sort })
export type ExportProposals = z.output<typeof ExportProposals>

const TotalProposals = z.strictObject(proposalConditions)
export type TotalProposals = z.output<typeof TotalProposals>

/** The number and the sum of proposals with the same status and currency. */
export const totalOf = <S extends z.ZodType>(status: S) =>
  z.object({
    status: status.meta({ description: 'Status of these proposals.' }),
    currency: z.string().meta({ description: 'Currency of these proposals (ISO 4217).', examples: ['EUR'] }),
    count: z.int().describe('Number of proposals.'),
    totalAmount: z.string().meta({ description: 'Sum of their totals as a decimal string with two decimals.', examples: ['48200.00'] }),
  })

const ProposalTotals = z
  .object({
    data: z.array(totalOf(z.enum(proposalStates))).describe('One entry for each status and currency that occurs.'),
  })
  .meta({ id: 'ProposalTotals', description: 'Numbers and sums of proposals by status and currency.' })
export type ProposalTotals = z.input<typeof ProposalTotals>

const params = z.object({ id: idInput('prp') })

export const proposals = {
  ...proposalViews,
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
  export: route({
    method: 'GET',
    path: '/v1/proposals/export',
    summary: 'Export proposals as CSV',
    answer: 'A CSV file (RFC 4180) in UTF-8 with one row for each proposal, after a row with the names of the columns.',
    description:
      'Streams all proposals that meet the filters of the list. Columns have the names of fields of the record; `recipients` and `emails` are separated by semicolons. Text that a spreadsheet would interpret as a formula begins with an apostrophe. Links to pages are left out. Later versions can add columns.',
    scope: 'proposals:read',
    query: ExportProposals,
    status: 200,
    csv: 'proposals.csv',
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
  preview: route({
    method: 'POST',
    path: '/v1/proposals/preview',
    summary: 'Preview a proposal',
    answer: 'The figures of the proposal.',
    description:
      'Returns totals, content hash, warnings and a sentence to read aloud for the body of a new proposal, and stores nothing. 422 if creating it would answer 422.',
    scope: 'proposals:write',
    reads: true,
    body: CreateProposal,
    status: 200,
    reply: ProposalPreview,
  }),
  previewPage: route({
    method: 'POST',
    path: '/v1/proposals/preview-page',
    summary: 'Preview the page of a proposal',
    answer: 'The page.',
    description:
      'Returns the page that the first signer of a proposal with this content would see, and stores nothing. Takes an incomplete proposal: without `items` and `totalAmount`, the total is 0.00. The logo, images and attached PDFs are left out.',
    scope: 'proposals:write',
    reads: true,
    body: PreviewProposalPage,
    status: 200,
    reply: ProposalPagePreview,
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
  pdf: route({
    method: 'GET',
    path: '/v1/proposals/{id}/pdf',
    summary: 'Download a proposal as PDF',
    answer: 'The PDF as an attachment.',
    description:
      'A tagged PDF in the language of the first signer, with the offer as canonical JSON in the embedded file `proposal.json`. A draft, and a proposal that was declined, has expired or was voided, is marked as such. The same proposal has the same bytes. 503 if the PDF could not be rendered.',
    scope: 'proposals:read',
    params,
    status: 200,
    file: true,
  }),
  file: route({
    method: 'GET',
    path: '/v1/proposals/{id}/files/{sha256}',
    summary: 'Download a file of a proposal',
    answer: 'The image or the PDF as an attachment.',
    description: 'Returns the file of a section. `ETag` is its SHA-256.',
    scope: 'proposals:read',
    params: z.object({
      id: idInput('prp'),
      sha256: text(1, 100).meta({
        description: '`sha256` of a section of type `image` or `attachment`.',
        examples: ['7841c3a4d7157f8890df9af487a49a7d2d2a65e8ff85a8d89ea83ccbed5f2618'],
      }),
    }),
    status: 200,
    file: true,
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
      'Assigns the number and makes the proposal `pending`. A revision then replaces the proposal that it revises. 409 if it is not a draft, if its contact was deleted, if `expiresAt` has passed, or if the revised proposal was accepted or voided. 412 if its content is not the expected one.',
    scope: 'proposals:write',
    params,
    body: SendProposal,
    bodyOptional: true,
    status: 200,
    reply: Proposal,
    errors: ['conflict'],
  }),
  duplicate: route({
    method: 'POST',
    path: '/v1/proposals/{id}/duplicate',
    summary: 'Duplicate a proposal',
    description:
      'Creates a draft with the content and the recipients of a proposal in any state, without its `externalId` and without an `expiresAt` that has passed. 409 if its contact was deleted.',
    scope: 'proposals:write',
    params,
    status: 201,
    location: '/v1/proposals/{id}',
    reply: Proposal,
    errors: ['conflict'],
  }),
  revise: route({
    method: 'POST',
    path: '/v1/proposals/{id}/revise',
    summary: 'Revise a pending, expired or declined proposal',
    description:
      'Creates a draft as `duplicate` does, with `supersedes`. The proposal stays as it is until you send the draft: then a pending proposal becomes `voided`, `supersededBy` names the new version, and the page of the proposal leads its recipients there. 409 in any other state, while another draft revises the proposal, if a sent one has replaced it, or if its contact was deleted.',
    scope: 'proposals:write',
    params,
    status: 201,
    location: '/v1/proposals/{id}',
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
  countersign: route({
    method: 'POST',
    path: '/v1/proposals/{id}/countersign',
    summary: 'Sign a proposal for the organization',
    description:
      'Completes a pending proposal with `counterSignature` after all signers have signed. The certificate records this sentence with the name: `I sign this proposal for the organization, for a total of {totalAmount} {currency}.` It is in the language of the first signer or else of the organization, if that is German, French or Spanish. 409 in any other state, if a signer has not signed yet, or if the proposal has no counter-signature.',
    scope: 'proposals:write',
    params,
    body: CountersignProposal,
    status: 200,
    reply: Proposal,
    errors: ['conflict'],
  }),
}
