import { z } from 'zod'
import { emailInput } from './contacts.ts'
import { exactlyOne, onlyWith } from './field-rules.ts'
import { clearable, idInput, idOutput, languageTag, text, Timestamp } from './schemas.ts'

export const recipientRoles = ['signer', 'copy'] as const
export const signingOrders = ['parallel', 'sequential'] as const

/** Recipients of a proposal after its contact. */
const maxFurtherRecipients = 20

export const ProposalDelivery = z
  .object({
    state: z
      .enum(['queued', 'sent', 'failed', 'withheld'])
      .describe(
        '`queued`: waits for its first or next attempt; `sent`: the mail server accepted the email; `failed`: it could not be sent; `withheld`: none was sent, so pass on `url` yourself.',
      ),
    reason: z
      .string()
      .nullable()
      .describe(
        'Reason of a failure or of `withheld`, such as the answer of the mail server; `do_not_contact` if the contact refuses email; null without one.',
      ),
  })
  .meta({ id: 'ProposalDelivery', description: 'State of the email that sends a proposal to a recipient.' })
export type ProposalDelivery = z.input<typeof ProposalDelivery>

export const deliveryOutput = ProposalDelivery.nullable()
export const deliveredAtOutput = Timestamp.nullable()

export const ProposalRecipient = z
  .object({
    id: idOutput('rcp'),
    role: z.enum(recipientRoles).describe('`signer`: accepts or declines the proposal; `copy`: only receives it.'),
    contactId: idOutput('ctc').nullable().describe('Id of the contact; null for a recipient that is not a contact.'),
    name: z.string().nullable().describe('Name of the recipient when the proposal was sent; null without one.'),
    email: z.string().nullable().describe('Email address of the recipient when the proposal was sent; null without one.'),
    language: z
      .string()
      .nullable()
      .describe('Language given for this recipient, or else that of the contact (BCP 47); null for that of the organization.'),
    status: z
      .enum(['waiting', 'pending', 'viewed', 'signed', 'declined'])
      .describe(
        '`waiting`: the proposal is a draft, or an earlier signer has not signed yet; `pending`: not opened yet; `viewed`: opened; `signed` and `declined`: the answer of the recipient.',
      ),
    url: z.string().nullable().meta({
      description:
        'Page of the proposal for this recipient; null for a draft. Anyone with the URL of a signer can answer in the name of the signer, so treat it like a password.',
    }),
    delivery: deliveryOutput.describe('State of the email with the link; null for a draft, and until the turn of the recipient.'),
    deliveredAt: deliveredAtOutput.describe('Time at which the mail server accepted that email; null until then.'),
    viewedAt: Timestamp.nullable().describe('Time at which the recipient first opened the proposal; null until then.'),
    signedAt: Timestamp.nullable().describe('Time of the signature of this recipient; null without it.'),
  })
  .meta({ id: 'ProposalRecipient', description: 'A recipient of a proposal, with a link and an answer.' })
export type ProposalRecipient = z.input<typeof ProposalRecipient>

const recipient = z.strictObject({
  role: z
    .enum(recipientRoles)
    .describe('`signer`: must sign the proposal before it is accepted; `copy`: receives it and cannot answer it.'),
  contactId: idInput('ctc')
    .optional()
    .describe('Id of an existing contact. Its name and email address are copied when the proposal is sent.'),
  name: text(1, 200).optional().describe('Name of a recipient that is not a contact.'),
  email: emailInput.optional().describe('Email address of a recipient that is not a contact; it is stored in lower case.'),
  language: languageTag
    .optional()
    .describe(
      'Language of the page and the emails for this recipient (BCP 47). The language of the contact, or else of the organization, by default.',
    ),
})

export const ProposalRecipientInput = onlyWith(
  onlyWith(
    exactlyOne(recipient, ['contactId', 'email'], { field: 'contactId', message: 'is required unless name and email are given' }),
    'email',
    ['name'],
  ),
  'name',
  ['email'],
).meta({
  id: 'ProposalRecipientInput',
  description: 'A recipient after the contact of the proposal: another contact, or a name with an email address.',
  examples: [{ role: 'signer', name: 'Charles Babbage', email: 'charles@example.com' }],
})
export type ProposalRecipientInput = z.output<typeof ProposalRecipientInput>

/** Fields of new proposals and of changes to drafts. */
export const signingInput = {
  recipients: clearable(z.array(ProposalRecipientInput).max(maxFurtherRecipients)).describe(
    `Recipients in the order of signing. The contact is always the first signer and comes before them. At most ${maxFurtherRecipients}. They replace the former ones; null removes them.`,
  ),
  signingOrder: z
    .enum(signingOrders)
    .optional()
    .describe(
      '`parallel`: all signers can sign at once; `sequential`: each signer gets the email and can sign after the one before has signed. `parallel` by default.',
    ),
  counterSignature: z
    .boolean()
    .optional()
    .describe('Whether your organization signs after all signers, with `countersign`. false by default.'),
}

/** Fields of the record. */
export const signingOutput = {
  signingOrder: z
    .enum(signingOrders)
    .describe('`parallel`: all signers can sign at once; `sequential`: each signer can sign after the one before has signed.'),
  counterSignature: z.boolean().describe('Whether the organization signs after all signers.'),
  counterSignedBy: z.string().nullable().describe('Name in the signature of the organization; null until then.'),
  counterSignedAt: Timestamp.nullable().describe('Time of the signature of the organization; null until then.'),
}

export const CountersignProposal = z
  .strictObject({ name: text(1, 200).describe('Full name, the signature for the organization.') })
  .meta({ id: 'CountersignProposal', description: 'The signature of the organization.', examples: [{ name: 'Grace Hopper' }] })
