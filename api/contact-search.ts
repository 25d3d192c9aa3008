import { z } from 'zod'
import { ContactIdentity, IdentifyContact } from './contact-identify.ts'
import { Contact, contactSorts } from './contacts.ts'
import { route } from './route.ts'
import { reasonsOf, text } from './schemas.ts'
import { SearchFilter } from './search-filter.ts'

/** Why a contact matches a search. */
export const contactMatches = {
  whole: 'The whole name, address or number is the search text.',
  number: 'The phone number contains the digits.',
  words: 'All words occur.',
  other_script: 'All words occur, some of them in another script.',
  prefix: 'Words begin with those of the search text.',
  part: 'Words contain those of the search text.',
  similar: 'The name is similar, except for a typing error or another spelling.',
  filter: 'The filter holds.',
} as const
export type ContactMatch = keyof typeof contactMatches

/** Keys of filters besides `customFields.…` and `company.customFields.…`, by the kind of their values. */
export const contactFilterKeys = {
  text: [
    'firstName',
    'lastName',
    'externalId',
    'source',
    'jobTitle',
    'language',
    'timeZone',
    'address.street',
    'address.city',
    'address.postalCode',
    'address.region',
    'address.country',
    'company',
    'company.externalId',
    'company.vatId',
    'company.address.city',
    'company.address.postalCode',
    'company.address.region',
    'company.address.country',
    'proposals.number',
    'proposals.title',
    'proposals.externalId',
    'proposals.status',
    'proposals.currency',
    'activities.type',
    'activities.direction',
    'activities.externalId',
    'consent.email',
    'consent.phone',
    'consent.sms',
    'consent.post',
  ],
  email: ['email'],
  emails: ['emails'],
  phone: ['phone', 'company.phone'],
  phones: ['phones'],
  id: ['id', 'companyId', 'ownerId', 'activities.assigneeId'],
  list: ['tags', 'company.tags', 'company.domains'],
  boolean: ['doNotContact'],
  time: [
    'createdAt',
    'updatedAt',
    'lastInteractionAt',
    'consent.email.at',
    'consent.phone.at',
    'consent.sms.at',
    'consent.post.at',
    'activities.occurredAt',
    'activities.dueAt',
    'activities.doneAt',
    'proposals.sentAt',
    'proposals.completedAt',
    'proposals.expiresAt',
  ],
  number: ['proposals.totalAmount'],
} as const

const SearchContacts = z
  .strictObject({
    q: text(1, 200)
      .optional()
      .describe('Search text, as in the list of contacts. Without it, the newest contacts come first, or as `sort` says.'),
    filter: SearchFilter.optional().describe(
      `Condition on the fields of contacts: ${Object.values(contactFilterKeys)
        .flat()
        .map((key) => `\`${key}\``)
        .join(
          ', ',
        )}, and \`customFields.\` or \`company.customFields.\` with the id of a field. \`email\` and \`phone\` are the first entries, \`emails\` and \`phones\` all of them; write numbers with their country code. \`company\` is its name, and \`consent.….at\` the time of the present consent. A key of activities or proposals holds if one of them meets the comparisons.`,
    ),
    sort: z
      .enum(contactSorts)
      .optional()
      .describe('Order of the contacts, as in the list of contacts; `-createdAt` by default. Not with `q`, whose best match comes first.'),
    count: z.boolean().default(false).describe('true: counts the contacts that are found. Counting takes longer than reading a page.'),
    limit: z.int().min(1).max(100).default(50).describe('Maximum number of contacts to return, 50 by default.'),
    cursor: text(1, 2000).optional().describe('`nextCursor` of the previous page. Without it, the list starts at the first contact.'),
  })
  .meta({
    id: 'SearchContacts',
    description: 'Search for contacts.',
    examples: [
      {
        q: 'petrov',
        filter: {
          and: [
            { key: 'tags', eq: 'vip' },
            { key: 'proposals.status', in: ['pending'] },
          ],
        },
      },
    ],
  })
export type SearchContacts = z.output<typeof SearchContacts>

const ContactHit = z
  .object({
    contact: Contact,
    score: z.number().min(0).max(1).describe('How well the contact matches the search text, 0 to 1; 1 without a text.'),
    reasons: reasonsOf(contactMatches, 'Why the contact matches.'),
  })
  .meta({ id: 'ContactHit', description: 'A contact that was found.' })
export type ContactHit = z.input<typeof ContactHit>

const ContactHits = z
  .object({
    data: z.array(ContactHit).describe('Best match first; without a text, newest first unless `sort` is given.'),
    nextCursor: z.string().nullable().describe('Value of `cursor` for the next page; null on the last page.'),
    total: z.int().nullable().describe('Number of contacts that are found; null without `count`.'),
  })
  .meta({ id: 'ContactHits', description: 'A page of contacts that were found.' })
export type ContactHits = z.input<typeof ContactHits>

export const contactSearch = {
  identify: route({
    method: 'POST',
    path: '/v1/contacts/identify',
    summary: 'Identify a person',
    description: 'Finds the contact that calls or writes, by number, address, id and name, with a brief for a model. Changes nothing.',
    answer: 'The result with its candidates.',
    scope: 'contacts:read',
    reads: true,
    body: IdentifyContact,
    status: 200,
    reply: ContactIdentity,
  }),
  search: route({
    method: 'POST',
    path: '/v1/contacts/search',
    summary: 'Search contacts',
    description: 'Finds contacts by a text, a filter, or both. 422 for a filter with an unknown key, and for `sort` with `q`.',
    answer: 'A page of contacts with scores and reasons.',
    scope: 'contacts:read',
    reads: true,
    body: SearchContacts,
    status: 200,
    reply: ContactHits,
  }),
}
