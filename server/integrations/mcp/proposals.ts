import {
  Amount,
  CreateProposal,
  idInput,
  idOutput,
  ProposalPreview,
  proposalStates,
  Timestamp,
  VoidProposal,
  type Proposal,
} from '@groundwork/api'
import { z } from 'zod'
import { previewProposal } from '../../proposals/preview.ts'
import { createProposal, getProposal } from '../../proposals/proposals.ts'
import { voidProposal } from '../../proposals/transitions.ts'
import { parsed } from '../integration.ts'
import { tool } from './tool.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'

const output = z.object({
  notice: z.string(),
  proposalId: idOutput('prp'),
  number: z.string().nullable(),
  title: z.string(),
  contactId: idOutput('ctc'),
  status: z.enum(proposalStates),
  totalAmount: Amount,
  currency: z.string(),
  url: z.string().nullable().describe('Page on which the contact reads, accepts or declines the proposal; null for a draft.'),
  contentHash: z.string(),
  sentAt: Timestamp.nullable(),
  viewedAt: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  rejectedAt: Timestamp.nullable(),
  expiresAt: Timestamp.nullable(),
  voidedAt: Timestamp.nullable(),
})

function resultOf(proposal: Proposal): { data: z.input<typeof output>; text: string } {
  const { id, number, title, status, totalAmount, currency, url } = proposal
  const line = [number ?? id, title, `${totalAmount} ${currency}`, status].join(', ')
  return {
    data: { ...proposal, notice: untrustedContentNotice, proposalId: id },
    text: url === null ? line : `${line}\nPage for the contact: ${url}`,
  }
}

const { draft: _draft, ...offer } = CreateProposal.shape
const Offer = z.strictObject(offer)

/** Applies the rules between the fields too. */
const proposalOf = (input: z.output<typeof Offer>): CreateProposal => parsed(CreateProposal, { ...input, draft: false })

export const previewProposalTool = tool({
  name: 'preview_proposal',
  title: 'Preview a proposal',
  description:
    'Calculates the totals of a proposal and returns a sentence to read aloud, without storing or sending anything. Read the sentence ' +
    'to the user and wait for a confirmation before you call send_proposal with the same arguments.',
  scope: 'proposals:write',
  input: Offer,
  output: z.object({ notice: z.string(), ...ProposalPreview.shape }),
  async run(ctx, input) {
    const preview = await previewProposal(ctx, proposalOf(input))
    const warnings = preview.warnings.map(({ message }) => `Warning: ${message}`)
    return { data: { ...preview, notice: untrustedContentNotice }, text: [preview.sentence, ...warnings].join('\n') }
  },
})

export const sendProposalTool = tool({
  name: 'send_proposal',
  title: 'Send a proposal',
  description:
    'Sends a priced proposal to a contact, who can then accept or decline it on its page. Ask the user to confirm title, items and ' +
    'total before. Give either items or totalAmount. With an externalId of your own, a repeated call cannot send a second proposal.',
  scope: 'proposals:write',
  changes: 'creates',
  input: Offer,
  output,
  run: async (ctx, input) => resultOf(await createProposal(ctx, proposalOf(input))),
})

const proposalId = idInput('prp')

export const getProposalTool = tool({
  name: 'get_proposal',
  title: 'Get a proposal',
  description: 'Returns a proposal with its total, its status, the times of its changes and the link to its page.',
  scope: 'proposals:read',
  input: z.strictObject({ proposalId }),
  output,
  run: async (ctx, input) => resultOf(await getProposal(ctx, input.proposalId)),
})

export const voidProposalTool = tool({
  name: 'void_proposal',
  title: 'Void a proposal',
  description: 'Withdraws a draft or a pending proposal for good, with a reason. The contact can no longer accept it.',
  scope: 'proposals:write',
  changes: 'ends',
  input: z.strictObject({ proposalId, reason: VoidProposal.shape.reason }),
  output,
  run: async (ctx, input) => resultOf(await voidProposal(ctx, input.proposalId, { reason: input.reason })),
})
