import { z } from 'zod'
import { ContactSuggestion } from './contact-suggestion.ts'
import { Contact } from './contacts.ts'
import { route } from './route.ts'
import { idInput, pageOf, pageQuery } from './schemas.ts'

const ListSuggestions = z.strictObject({
  ...pageQuery,
  status: z.enum(['pending', 'accepted', 'dismissed']).optional().describe('Only suggestions in this state.'),
})
export type ListSuggestions = z.output<typeof ListSuggestions>

const params = z.object({ id: idInput('ctc'), suggestionId: idInput('sug') })

export const contactSuggestions = {
  list: route({
    method: 'GET',
    path: '/v1/contacts/{id}/suggestions',
    summary: 'List the suggestions for a contact, newest first',
    description: 'An agent suggests a value when it writes a field that a person typed or verified.',
    scope: 'contacts:read',
    params: z.object({ id: idInput('ctc') }),
    query: ListSuggestions,
    status: 200,
    reply: pageOf(ContactSuggestion),
  }),
  accept: route({
    method: 'POST',
    path: '/v1/contacts/{id}/suggestions/{suggestionId}/accept',
    summary: 'Accept a suggestion',
    answer: 'The contact with the suggested value.',
    description:
      'The field gets the suggested value, which counts as verified. 409 if the suggestion was accepted or dismissed, or if another contact has the `externalId`; 403 for an agent’s token.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: Contact,
    errors: ['conflict'],
  }),
  dismiss: route({
    method: 'POST',
    path: '/v1/contacts/{id}/suggestions/{suggestionId}/dismiss',
    summary: 'Dismiss a suggestion',
    answer: 'The dismissed suggestion.',
    description: 'The same value is not suggested again. 409 if the suggestion was accepted; 403 for an agent’s token.',
    scope: 'contacts:write',
    params,
    status: 200,
    reply: ContactSuggestion,
    errors: ['conflict'],
  }),
}
