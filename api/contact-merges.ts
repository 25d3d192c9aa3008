import { z } from 'zod'
import { Contact } from './contacts.ts'
import { listedSince, mergeInput } from './merge-input.ts'
import { route } from './route.ts'
import { idInput, idOutput } from './schemas.ts'

/** The fields whose value can be chosen. */
export const choosableFields = [
  'externalId',
  'firstName',
  'lastName',
  'email',
  'phone',
  'jobTitle',
  'address',
  'language',
  'timeZone',
  'ownerId',
  'companyId',
  'source',
] as const
export type ChoosableField = (typeof choosableFields)[number]

const MergeContacts = z
  .strictObject(
    mergeInput({
      prefix: 'ctc',
      names: ['contact', 'contacts'],
      choosable: choosableFields,
      note: ' With a choice for `email` or `phone`, the addresses or numbers of that contact come first.',
    }),
  )
  .meta({
    id: 'MergeContacts',
    description: 'Contacts that become one.',
    examples: [
      {
        otherIds: ['ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f9'],
        fields: { lastName: 'ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f9' },
        dryRun: true,
      },
    ],
  })
export type MergeContacts = z.output<typeof MergeContacts>

/** The records that a merge moves. */
export const movedKinds = ['activities', 'tasks', 'proposals', 'recipients', 'consents', 'suggestions', 'events'] as const
export type MovedKind = (typeof movedKinds)[number]

const MergedContact = z
  .object({
    dryRun: z.boolean().describe('True for a dry run, which changes nothing.'),
    contact: Contact.describe('The contact after the merge.'),
    moved: z
      .array(
        z.object({
          kind: z
            .enum(movedKinds)
            .describe(
              '`recipients` are entries of the other contacts in the recipients of proposals; `events` are entries of the timeline.',
            ),
          count: z.int().describe('Number of records.'),
        }),
      )
      .describe('Records that were moved from the other contacts, by kind. Kinds without records are left out.'),
    omitted: z
      .array(
        z.object({
          field: z.enum(['emails', 'phones', 'tags']).describe('The list that is full.'),
          value: z.string().describe('The value of the other contact.'),
        }),
      )
      .describe('Values that were left out because the list is full. Undoing the merge restores them.'),
  })
  .meta({ id: 'MergedContact', description: 'The result of a merge of contacts.' })
export type MergedContact = z.input<typeof MergedContact>

const UnmergeContact = z.strictObject({ mergedId: idInput('ctc').describe('Id of the contact that was merged into this one.') }).meta({
  id: 'UnmergeContact',
  description: 'The merge to undo.',
  examples: [{ mergedId: 'ctc_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f9' }],
})
export type UnmergeContact = z.output<typeof UnmergeContact>

const UnmergedContact = z
  .object({
    contact: Contact.describe('The contact, without the values and records of the other one.'),
    restored: Contact.describe('The contact that was merged, as it was before.'),
    kept: z
      .object({
        fields: z.array(z.string()).describe('Fields that were changed since the merge, such as `jobTitle`. The changes are kept.'),
        activityIds: z.array(idOutput('act')).describe(listedSince('activities that were added')),
        proposalIds: z.array(idOutput('prp')).describe(listedSince('proposals that were created')),
        consentIds: z.array(idOutput('cns')).describe(listedSince('consent entries that were recorded')),
      })
      .describe('Changes and records since the merge. They stay with the contact.'),
  })
  .meta({ id: 'UnmergedContact', description: 'Both contacts after undoing a merge.' })
export type UnmergedContact = z.input<typeof UnmergedContact>

const params = z.object({ id: idInput('ctc') })

export const contactMerges = {
  merge: route({
    method: 'POST',
    path: '/v1/contacts/{id}/merge',
    summary: 'Merge contacts into one',
    description:
      'The contact in the path is kept. Activities, proposals, consent and the timeline of the others move to it, and their addresses, numbers, tags and custom fields are added. If the contacts differ in consent, the refusal is kept, and `doNotContact` is true if it was true for one of them. From then on, requests with the ids of the others return this contact. Can be undone for 30 days.',
    scope: 'contacts:write',
    params,
    body: MergeContacts,
    status: 200,
    reply: MergedContact,
    errors: ['conflict'],
  }),
  unmerge: route({
    method: 'POST',
    path: '/v1/contacts/{id}/unmerge',
    summary: 'Undo a merge of contacts',
    description:
      'Possible for 30 days after the merge. Both contacts get back their values and records as they were before. Changes and records since the merge stay with the contact in the path and are listed. 409 if the contact with `mergedId` was merged into another contact first, or if an `externalId` is now used by another contact.',
    scope: 'contacts:write',
    params,
    body: UnmergeContact,
    status: 200,
    reply: UnmergedContact,
    errors: ['conflict'],
  }),
}
