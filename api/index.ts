import { audit } from './audit.ts'
import { bases } from './bases.ts'
import { contacts } from './contacts.ts'
import { evaluations } from './evaluations.ts'
import { events } from './events.ts'
import { mails } from './mails.ts'
import { invitations, members } from './members.ts'
import { organizations } from './organizations.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { previews } from './previews.ts'
import { proposals } from './proposals.ts'
import { questions } from './questions.ts'
import { reindexes } from './reindexes.ts'
import { retrievals } from './retrievals.ts'
import { search } from './search.ts'
import { sources } from './sources.ts'
import { system } from './system.ts'
import { tokens } from './tokens.ts'
import { uploads } from './uploads.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { webhooks } from './webhooks.ts'

/** Every operation that the service has. */
export const api = {
  overview,
  contacts,
  proposals,
  bases,
  sources,
  uploads,
  previews,
  reindexes,
  search,
  retrievals,
  questions,
  evaluations,
  events,
  tokens,
  audit,
  webhooks,
  webhookDeliveries,
  people,
  organizations,
  members,
  invitations,
  mails,
  system,
}
export type GroundworkApi = typeof api

/** What each group of them is about. */
export const apiTags: Record<keyof GroundworkApi, string> = {
  overview: 'How the organization does.',
  contacts: 'People that the organization deals with.',
  proposals: 'Priced offers to a contact: drafted, sent, voided.',
  bases: 'Knowledge bases: what voice agents and chat assistants retrieve from.',
  sources: 'Files, pages, videos and sites of a knowledge base, processed into passages after they are added.',
  uploads: 'Files on their way to become sources.',
  previews: 'What a document would become, shown without keeping it.',
  reindexes: 'A second index of a base, built beside the one that is searched, and the switch to it.',
  search: 'Passages that answer a question.',
  retrievals: 'What was searched for and found, and what was not.',
  questions: 'Questions of which it is known what answers them.',
  evaluations: 'How well a knowledge base answers them.',
  events: 'What happened, to list and to follow.',
  tokens: 'API tokens: what they may do, how long, and their end.',
  audit: 'Who changed what, when and from where.',
  webhooks: 'Addresses to which events are sent as they happen.',
  webhookDeliveries: 'Events on their way to such an address: what was sent, and what came back.',
  people: 'Who is signed in, and the first user of all.',
  organizations: 'What everything else belongs to.',
  members: 'Who may do what in the organization.',
  invitations: 'Who was asked to join it.',
  mails: 'What the service sends, where there is no mail server.',
  system: 'How the service is set up.',
}

export * from './audit.ts'
export * from './bases.ts'
export * from './contacts.ts'
export * from './errors.ts'
export * from './evaluations.ts'
export * from './events.ts'
export * from './openapi.ts'
export * from './mails.ts'
export * from './new-source.ts'
export * from './members.ts'
export * from './organizations.ts'
export * from './overview.ts'
export * from './people.ts'
export * from './previews.ts'
export * from './proposals.ts'
export * from './questions.ts'
export * from './reindexes.ts'
export * from './retrievals.ts'
export * from './roles.ts'
export * from './route.ts'
export * from './rules.ts'
export * from './schemas.ts'
export * from './scopes.ts'
export * from './search-filter.ts'
export * from './search.ts'
export * from './sources.ts'
export * from './system.ts'
export * from './tokens.ts'
export * from './uploads.ts'
export * from './webhook-deliveries.ts'
export * from './webhook-endpoint.ts'
export * from './webhooks.ts'
