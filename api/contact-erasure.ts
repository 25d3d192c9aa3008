import { z } from 'zod'
import { idOutput, Timestamp } from './schemas.ts'

/** The records that an erasure removes, with the meaning of each number. */
export const erasedKinds = {
  contact: 'the contact itself',
  merged_contacts: 'contacts that were merged into it and can still be separated',
  activities: 'activities of the contact: notes, calls, emails, messages, meetings and tasks',
  consents: 'entries of the history of its consent',
  changes: 'entries of the history of its values, and those of merges with other contacts that were undone',
  suggestions: 'values that agents suggested',
  draft_proposals: 'drafts for the contact, which are deleted',
  voided_proposals: 'pending proposals that the contact was to sign, which are voided first',
  recipients: 'names and addresses of the contact in proposals that nobody accepted',
  signatures: 'signatures on proposals that were not completed',
  questions: 'questions of the contact about proposals',
  views: 'openings of proposal pages, with network address and browser',
  proposal_texts:
    'proposals that were not accepted whose message, reasons for voiding and rejection, and texts and files of sections are removed',
  accepted_proposals:
    'completed proposals whose years (`RETAIN_CONTRACTS_YEARS`) are over, which are deleted with signatures, content and files',
  mails: 'messages about proposals of the contact',
  events: 'events of the contact and its proposals, and of proposals that it was removed from, which keep ids, states, numbers and times',
  webhook_responses: 'answers of webhook receivers to these events',
  imports: 'failed rows of imports that name the contact, and imports whose file name, columns or sample rows name it',
  saved_views: 'saved views of the lists of contacts, proposals and sources whose name, search text or filter names the contact',
  searches: 'logged searches that name the contact',
  stored_responses:
    'stored responses to requests with an `Idempotency-Key` that name the contact, and those that can no longer be decrypted',
} as const
export type ErasedKind = keyof typeof erasedKinds

const listOf = (kinds: Readonly<Record<string, string>>): string =>
  Object.entries(kinds)
    .map(([kind, meaning]) => `\`${kind}\`: ${meaning}`)
    .join('; ')

/** The records that an erasure keeps. */
export const keptKinds = {
  accepted_proposals:
    'completed proposals that the contact was to sign, with names, addresses and signatures as proof of the acceptance, for the years of `RETAIN_CONTRACTS_YEARS` from the completion of each',
  other_proposals:
    'proposals that were not accepted or were only copied to the contact, without the contact as a recipient; number, `externalId`, title, lines and amounts stay as they were written, and so do message and sections of proposals that are primarily to somebody else',
  audit_entries: 'entries of the audit log with the id of the contact or of a recipient, and network addresses',
  import_files: 'uploaded files of imports, which may name the contact',
  hashes: 'keyed hashes of addresses, numbers and the externalId, with `preventReimport`',
  database_files: 'freed space in the files of the database, until the database reuses it',
  backups: 'backups from before the erasure, until they are deleted',
} as const
export type KeptKind = keyof typeof keptKinds

export const ContactErasure = z
  .object({
    contactId: idOutput('ctc'),
    dryRun: z.boolean().describe('Whether nothing was erased, and the numbers are those of an erasure at this time.'),
    erasedAt: Timestamp.nullable().describe('Time of the erasure: UTC with milliseconds (ISO 8601); null for a dry run.'),
    erased: z
      .array(
        z.object({
          kind: z
            .enum(Object.keys(erasedKinds) as [ErasedKind, ...ErasedKind[]])
            .describe(
              `${listOf(erasedKinds)}. A record names the contact if it contains an address, a phone number, the full name, the externalId or the id, present or former.`,
            ),
          count: z.int().describe('Number of records.'),
        }),
      )
      .describe('The erased records by kind. Kinds without a record are left out.'),
    kept: z
      .array(
        z.object({
          kind: z.enum(Object.keys(keptKinds) as [KeptKind, ...KeptKind[]]).describe(`${listOf(keptKinds)}.`),
          count: z.int().nullable().describe('Number of records; null for files, whose records are not counted.'),
          reason: z.string().describe('Reason in English.'),
          until: Timestamp.nullable().describe(
            'When the last record of the kind is deleted automatically, with the present settings; null if that is not scheduled.',
          ),
        }),
      )
      .describe('The kept records by kind, with the reason.'),
  })
  .meta({ id: 'ContactErasure', description: 'The receipt of the erasure of a contact.' })
export type ContactErasure = z.input<typeof ContactErasure>

export const EraseContact = z
  .strictObject({
    dryRun: z.boolean().optional().describe('true erases nothing and returns the receipt of an erasure at this time. false by default.'),
    preventReimport: z
      .boolean()
      .optional()
      .describe(
        'true keeps keyed hashes of the addresses, numbers and the externalId, so that imports and batches refuse them. Creating the contact again by hand is possible. false by default.',
      ),
  })
  .meta({ id: 'EraseContact', description: 'Options of an erasure.', examples: [{ dryRun: true }] })
export type EraseContact = z.output<typeof EraseContact>
