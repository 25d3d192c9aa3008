import { z } from 'zod'
import { Activity } from './activities.ts'
import { ConsentChange } from './consent.ts'
import { ContactChange } from './contact-history.ts'
import { ContactSuggestion } from './contact-suggestion.ts'
import { Contact } from './contacts.ts'
import { TimelineEntry } from './events.ts'
import { Mail } from './mails.ts'
import { ProposalQuestion } from './proposal-questions.ts'
import { ProposalView } from './proposal-views.ts'
import { Proposal } from './proposals.ts'
import { route } from './route.ts'
import { idInput, idOutput, Timestamp } from './schemas.ts'

const Signature = z
  .object({
    proposalId: idOutput('prp'),
    name: z.string().describe('Name that the contact signed with.'),
    method: z.enum(['typed', 'drawn']).describe('`typed` or `drawn`.'),
    wording: z.string().describe('Sentence that the contact agreed to.'),
    signedAt: Timestamp.describe('Time of the signature: UTC with milliseconds (ISO 8601).'),
    address: z.string().describe('IP address of the signer.'),
    userAgent: z.string().nullable().describe('User agent of the browser; null if it sent none.'),
  })
  .meta({ id: 'ExportedSignature', description: 'A signature of the contact on a proposal.' })

export const ContactExport = z
  .object({
    exportedAt: Timestamp.describe('Time of the export: UTC with milliseconds (ISO 8601).'),
    contact: Contact,
    consent: z.array(ConsentChange).describe('History of the consent, newest entry first.'),
    history: z.array(ContactChange).describe('Changes of the contact with the origin of its values, newest first.'),
    suggestions: z.array(ContactSuggestion).describe('Values that agents suggested, newest first.'),
    activities: z.array(Activity).describe('Notes, calls, emails, messages, meetings and tasks, the latest first.'),
    proposals: z.array(Proposal).describe('Proposals to the contact, and those with the contact as a further recipient, newest first.'),
    questions: z.array(ProposalQuestion).describe('Questions of the contact about proposals, the oldest first.'),
    signatures: z.array(Signature).describe('Signatures of the contact, the oldest first.'),
    views: z.array(ProposalView).describe('Openings of the pages of proposals with the links of the contact, the oldest first.'),
    mails: z.array(Mail).describe('Messages to the contact of the last 30 days, newest first.'),
    timeline: z.array(TimelineEntry).describe('Timeline of the contact, newest entry first.'),
  })
  .meta({ id: 'ContactExport', description: 'All records about a contact.' })
export type ContactExport = z.input<typeof ContactExport>

export const privacy = {
  export: route({
    method: 'GET',
    path: '/v1/contacts/{id}/export',
    summary: 'Export everything about a contact',
    description:
      'Returns all records about a person in one document, for a request for access. The token needs `contacts:read`, `proposals:read` and `events:read`, and must not be limited to some knowledge bases; otherwise 403. Logged searches are not part of it.',
    scope: 'contacts:read',
    params: z.object({ id: idInput('ctc') }),
    status: 200,
    reply: ContactExport,
    errors: ['forbidden'],
  }),
}
