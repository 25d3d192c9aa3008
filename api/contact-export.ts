import { z } from 'zod'
import { Activity } from './activities.ts'
import { ConsentChange } from './consent.ts'
import { duplicateReasons } from './contact-duplicates.ts'
import { ContactChange } from './contact-history.ts'
import { ContactImport } from './contact-imports.ts'
import { ContactSuggestion } from './contact-suggestion.ts'
import { Contact } from './contacts.ts'
import { Event, TimelineEntry } from './events.ts'
import { Mail } from './mails.ts'
import { ProposalQuestion } from './proposal-questions.ts'
import { ProposalView } from './proposal-views.ts'
import { Proposal } from './proposals.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, Timestamp } from './schemas.ts'

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

const Duplicate = z
  .object({
    id: idOutput('dup'),
    contactId: idOutput('ctc').describe('The other contact: `ctc_` and a UUID.'),
    confidence: z.number().describe('How likely the contacts are the same person, 0 to 1.'),
    reasons: z.array(z.enum(duplicateReasons)).describe('The values that the contacts have in common.'),
    status: z.enum(['open', 'dismissed']).describe('`dismissed` if somebody decided that they are not the same person.'),
    createdAt,
  })
  .meta({ id: 'ExportedDuplicate', description: 'Another contact that is probably the same person.' })
export type ExportedDuplicate = z.input<typeof Duplicate>

const ImportRow = z
  .object({
    importId: idOutput('imp'),
    row: z.int().describe('Number of the row in the file, from 1.'),
    cells: z.array(z.string()).describe('Cells of the row as they are in the file.'),
    field: z.string().nullable().describe('Field with the error; null for the whole row.'),
    error: z.string().describe('Why the row was not imported.'),
  })
  .meta({ id: 'ExportedImportRow', description: 'A row of an import that failed.' })
export type ExportedImportRow = z.input<typeof ImportRow>

const View = z
  .object({
    id: z.string().describe('Id of the view.'),
    of: z.enum(['contacts', 'proposals', 'sources']).describe('List of the view.'),
    name: z.string().describe('Name of the view.'),
    q: z.string().nullable().describe('Search text; null without one.'),
    filter: z.record(z.string(), z.unknown()).nullable().describe('Filter of the view; null without one.'),
  })
  .meta({ id: 'ExportedView', description: 'A saved view that names the contact.' })
export type ExportedView = z.input<typeof View>

const Search = z
  .object({
    id: idOutput('ret'),
    baseId: idOutput('kb'),
    query: z.string().describe('Text of the search.'),
    createdAt,
  })
  .meta({ id: 'ExportedSearch', description: 'A logged search of a knowledge base that names the contact.' })
export type ExportedSearch = z.input<typeof Search>

export const ContactExport = z
  .object({
    exportedAt: Timestamp.describe('Time of the export: UTC with milliseconds (ISO 8601).'),
    contact: Contact,
    mergedContacts: z.array(Contact).describe('Contacts that were merged into it and can still be separated.'),
    duplicates: z.array(Duplicate).describe('Contacts that are probably the same person, newest pair first.'),
    consent: z.array(ConsentChange).describe('History of the consent, newest entry first.'),
    history: z
      .array(ContactChange)
      .describe('Changes of the contact and of the contacts that were merged into it, with the origin of the values, newest first.'),
    suggestions: z.array(ContactSuggestion).describe('Values that agents suggested, newest first.'),
    activities: z.array(Activity).describe('Notes, calls, emails, messages, meetings and tasks, the latest first.'),
    proposals: z.array(Proposal).describe('Proposals to the contact, and those with the contact as a further recipient, newest first.'),
    questions: z.array(ProposalQuestion).describe('Questions of the contact about proposals, the oldest first.'),
    signatures: z.array(Signature).describe('Signatures of the contact, the oldest first.'),
    views: z.array(ProposalView).describe('Openings of the pages of proposals with the links of the contact, the oldest first.'),
    mails: z.array(Mail).describe('Messages to the contact of the last 30 days, newest first.'),
    timeline: z.array(TimelineEntry).describe('Timeline of the contact, newest entry first.'),
    events: z
      .array(Event)
      .describe('Other events with the id of the contact, such as those of proposals that it was removed from, newest first.'),
    imports: z
      .array(ContactImport)
      .describe('Imports that wrote the contact, or whose file name, columns or sample rows name it, newest first.'),
    failedRows: z.array(ImportRow).describe('Failed rows of imports that name the contact, those of the newest import first.'),
    savedViews: z.array(View).describe('Saved views of all members whose name, search text or filter names the contact, newest first.'),
    searches: z.array(Search).describe('Logged searches that name the contact, newest first.'),
  })
  .meta({ id: 'ContactExport', description: 'All records about a contact.' })
export type ContactExport = z.input<typeof ContactExport>

export const privacy = {
  export: route({
    method: 'GET',
    path: '/v1/contacts/{id}/export',
    summary: 'Export everything about a contact',
    description:
      'Returns all records about a person in one document, for a request for access. A record names the contact if it contains an address, a phone number, the full name, the externalId or the id, present or former. The token needs `contacts:read`, `proposals:read`, `sources:read`, `events:read` and `retrievals:read`, and must not be limited to some knowledge bases; otherwise 403.',
    scope: 'contacts:read',
    params: z.object({ id: idInput('ctc') }),
    status: 200,
    reply: ContactExport,
    errors: ['forbidden'],
  }),
}
