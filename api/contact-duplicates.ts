import { z } from 'zod'
import { Contact } from './contacts.ts'
import { route } from './route.ts'
import { duplicateCount, pairFields, pairFilters } from './duplicate-pairs.ts'
import { idInput, idOutput, pageOf, pageQuery } from './schemas.ts'

export const duplicateReasons = ['name', 'similar_name', 'email', 'phone', 'company', 'email_domain', 'address'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

const ListDuplicates = z.strictObject({
  ...pageQuery,
  contactId: idInput('ctc').optional().describe('Only pairs with this contact.'),
  ...pairFilters('the same person'),
})
export type ListDuplicates = z.output<typeof ListDuplicates>

const CountDuplicates = ListDuplicates.omit({ limit: true, cursor: true })
export type CountDuplicates = z.output<typeof CountDuplicates>

const DuplicateCount = duplicateCount('ContactDuplicateCount')
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
    ...pairFields('the same person'),
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
