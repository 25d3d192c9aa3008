import { z } from 'zod'
import { Contact } from './contacts.ts'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery, queryDecimal, Timestamp } from './schemas.ts'

/** Pairs with a lower confidence are listed only if `minConfidence` asks for them. */
export const defaultMinConfidence = 0.7

export const duplicateReasons = ['name', 'similar_name', 'email', 'phone', 'company', 'email_domain', 'address'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

const ListDuplicates = z.strictObject({
  ...pageQuery,
  contactId: idInput('ctc').optional().describe('Only pairs with this contact.'),
  minConfidence: queryDecimal(0.5, 1)
    .default(defaultMinConfidence)
    .describe(`Only pairs with at least this confidence: 0.5 to 1, ${defaultMinConfidence} by default.`),
  status: z
    .enum(['open', 'dismissed'])
    .default('open')
    .describe('`dismissed` lists the pairs that are not the same person. `open` by default.'),
})
export type ListDuplicates = z.output<typeof ListDuplicates>

/** The count stops there, so that it takes bounded time. */
export const maxDuplicateCount = 1_000

const CountDuplicates = ListDuplicates.omit({ limit: true, cursor: true })
export type CountDuplicates = z.output<typeof CountDuplicates>

const DuplicateCount = z
  .object({
    count: z.int().describe(`Number of pairs, at most ${maxDuplicateCount.toLocaleString('en')}.`),
    hasMore: z.boolean().describe('Whether there are more pairs than `count`.'),
  })
  .meta({ id: 'ContactDuplicateCount', description: 'The number of pairs that meet the filters.' })
export type DuplicateCount = z.input<typeof DuplicateCount>

const ContactDuplicate = z
  .object({
    id: idOutput('dup'),
    contacts: z.array(Contact).length(2).describe('The two contacts, the older one first.'),
    confidence: z.number().meta({ description: 'How likely the contacts are the same person, 0 to 1.', examples: [0.97] }),
    reasons: z
      .array(z.enum(duplicateReasons))
      .describe(
        'The values that the contacts have in common. `name` is the same name, also with first and last name swapped; `similar_name` one with a typing error, another spelling, a short form or an initial. `email` is the same mailbox: tags behind a plus sign, and in Gmail dots, do not count. `email_domain` is the domain of a company.',
      ),
    status: z.enum(['open', 'dismissed']).describe('`dismissed` if somebody decided that they are not the same person.'),
    createdAt,
    dismissedAt: Timestamp.nullable().describe('Time of this decision: UTC with milliseconds (ISO 8601); null before it.'),
  })
  .meta({ id: 'ContactDuplicate', description: 'Two contacts that are probably the same person.' })
export type ContactDuplicate = z.input<typeof ContactDuplicate>

export const contactDuplicates = {
  list: route({
    method: 'GET',
    path: '/v1/contacts/duplicates',
    summary: 'List pairs of contacts that are probably the same person, newest first',
    description:
      'Written contacts are compared in the background, usually within a second. A pair disappears when one of its contacts is changed accordingly, merged or deleted.',
    scope: 'contacts:read',
    query: ListDuplicates,
    status: 200,
    reply: pageOf(ContactDuplicate),
  }),
  count: route({
    method: 'GET',
    path: '/v1/contacts/duplicates/count',
    summary: 'Count pairs of contacts that are probably the same person',
    description: 'Counts the pairs that meet the filters of the list.',
    scope: 'contacts:read',
    query: CountDuplicates,
    status: 200,
    reply: DuplicateCount,
  }),
  dismiss: route({
    method: 'POST',
    path: '/v1/contacts/duplicates/{id}/dismiss',
    summary: 'Remember that two contacts are not the same person',
    answer: 'The dismissed pair.',
    description: 'The pair is not offered again. Idempotent. 403 for an agent’s token.',
    scope: 'contacts:write',
    params: z.object({ id: idInput('dup') }),
    status: 200,
    reply: ContactDuplicate,
  }),
}
