import { activities, tasks } from './activities.ts'
import { answers } from './answers.ts'
import { audit } from './audit.ts'
import { bases } from './bases.ts'
import { certificates } from './certificates.ts'
import { companies } from './companies.ts'
import { companyDuplicates } from './company-duplicates.ts'
import { companyMerges } from './company-merges.ts'
import { consent } from './consent.ts'
import { privacy } from './contact-export.ts'
import { contactHistory } from './contact-history.ts'
import { contactSuggestions } from './contact-suggestions.ts'
import { contactUpserts } from './contact-upsert.ts'
import { contactExports } from './contact-exports.ts'
import { contactDuplicates } from './contact-duplicates.ts'
import { contactMerges } from './contact-merges.ts'
import { contactSearch } from './contact-search.ts'
import { contactImports } from './contact-imports.ts'
import { contactJobs } from './contact-jobs.ts'
import { contactTags } from './contact-tags.ts'
import { contactViews } from './contact-views.ts'
import { contacts } from './contacts.ts'
import { customFields } from './custom-fields.ts'
import { evaluations } from './evaluations.ts'
import { events } from './events.ts'
import { mails } from './mails.ts'
import { invitations, members } from './members.ts'
import { organizations } from './organizations.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { previews } from './previews.ts'
import { proposalListViews } from './proposal-list-views.ts'
import { proposalQuestions } from './proposal-questions.ts'
import { proposals } from './proposals.ts'
import { questions } from './questions.ts'
import { reindexes } from './reindexes.ts'
import { requests } from './requests.ts'
import { retrievals } from './retrievals.ts'
import { search } from './search.ts'
import { sourceViews } from './source-views.ts'
import { sources } from './sources.ts'
import { system } from './system.ts'
import { tokens } from './tokens.ts'
import { tools } from './tools.ts'
import { uploads } from './uploads.ts'
import { webhookDeliveries } from './webhook-deliveries.ts'
import { webhooks } from './webhooks.ts'

/** Every operation of the service, by resource. */
export const api = {
  overview,
  contacts: { ...contacts, ...contactUpserts, ...contactHistory },
  contactSearch,
  contactImports,
  contactExports,
  contactJobs,
  contactSuggestions,
  contactTags,
  contactDuplicates,
  contactMerges,
  contactViews,
  companies,
  companyDuplicates,
  companyMerges,
  activities,
  tasks,
  consent,
  privacy,
  customFields,
  proposals,
  proposalListViews,
  proposalQuestions,
  certificates,
  bases,
  sources,
  sourceViews,
  uploads,
  previews,
  reindexes,
  search,
  answers,
  retrievals,
  questions,
  evaluations,
  events,
  tokens,
  audit,
  requests,
  webhooks,
  webhookDeliveries,
  people,
  organizations,
  members,
  invitations,
  mails,
  tools,
  system,
}
export type GroundworkApi = typeof api

/** Description of each resource. */
export const apiTags: Record<keyof GroundworkApi, string> = {
  overview: 'Counts, search statistics and items that need attention, across the organization.',
  contacts: 'People that the organization deals with.',
  contactSearch: 'Contacts by a text, a filter, or known facts about a person.',
  contactExports: 'Exports of contacts as CSV, JSON Lines and XLSX.',
  contactImports: 'Imports of contacts from CSV and XLSX files.',
  contactJobs: 'Jobs that change many contacts.',
  contactSuggestions: 'Values that agents suggest for contacts.',
  contactTags: 'Tags of contacts.',
  contactDuplicates: 'Pairs of contacts that are probably the same person.',
  contactMerges: 'Several contacts of the same person as one, and back.',
  contactViews: 'Saved views of the list of contacts.',
  companies: 'Companies that contacts belong to.',
  companyDuplicates: 'Pairs of companies that are probably the same.',
  companyMerges: 'Several companies as one, and back.',
  activities: 'Notes, calls, emails, messages, meetings and tasks of a contact.',
  tasks: 'Open tasks of all contacts.',
  privacy: 'Everything about a contact in one document.',
  consent: 'Consent of contacts for email, phone calls, text messages and post.',
  customFields: 'Fields of your own for contacts and companies.',
  proposals: 'Priced offers to a contact: drafts, sent proposals, and their end.',
  proposalListViews: 'Saved views of the list of proposals.',
  proposalQuestions: 'Questions of recipients about proposals, with their answers.',
  certificates: 'Signed proofs of accepted proposals, which anyone can verify offline.',
  bases: 'Knowledge bases: sets of sources that voice agents and chat assistants search together.',
  sources: 'Files, pages, videos and sites of a knowledge base. They are split into chunks and indexed in the background.',
  sourceViews: 'Saved views of the list of sources.',
  uploads: 'Files that are uploaded before they become sources.',
  previews: 'Chunks of a document without storing it.',
  reindexes: 'A second index of a knowledge base with other chunking settings, built and compared before searches switch to it.',
  answers: 'Answers of a chat model from the passages of a knowledge base, with citations.',
  search: 'Hybrid search: passages that answer a question.',
  retrievals: 'Log of searches, unanswered questions and daily statistics.',
  questions: 'Evaluation questions with their expected answers.',
  evaluations: 'Retrieval quality of a knowledge base, measured with its evaluation questions.',
  events: 'Changes in the organization, as a list or as a live stream.',
  tokens: 'API tokens: scopes, expiry, rotation and revocation.',
  audit: 'Audit log: every change with its author, time and IP address.',
  requests: 'Log of API requests.',
  webhooks: 'Endpoints of your own that receive events as signed HTTP requests.',
  webhookDeliveries: 'Deliveries of events to webhook endpoints, with every attempt.',
  people: 'The signed-in user, and the setup of the first user.',
  organizations: 'Organizations, the tenants that own all other records.',
  members: 'Members of the organization and their roles.',
  invitations: 'Invitations to join the organization.',
  mails: 'Messages that the service stored because no mail server is configured.',
  tools: 'Tools for agents that do not use MCP: their definitions, and a route that runs each.',
  system: 'Configuration and health of the service.',
}

export * from './activities.ts'
export * from './actor.ts'
export * from './answers.ts'
export * from './audit.ts'
export * from './bases.ts'
export * from './certificates.ts'
export * from './consent-states.ts'
export * from './consent.ts'
export * from './contact-erasure.ts'
export * from './companies.ts'
export * from './company-duplicates.ts'
export * from './company-merges.ts'
export * from './contact-export.ts'
export * from './contact-history.ts'
export * from './contact-suggestion.ts'
export * from './contact-suggestions.ts'
export * from './contact-upsert.ts'
export * from './contact-values.ts'
export * from './contact-identify.ts'
export * from './contact-duplicates.ts'
export { maxDuplicateCount } from './duplicate-pairs.ts'
export * from './contact-exports.ts'
export * from './contact-merges.ts'
export { maxListed } from './merge-input.ts'
export * from './contact-search.ts'
export * from './contact-imports.ts'
export * from './contact-jobs.ts'
export * from './contact-tags.ts'
export * from './contact-views.ts'
export * from './contacts.ts'
export { countryCodes } from './countries.ts'
export * from './custom-fields.ts'
export * from './errors.ts'
export * from './counter-signature.ts'
export * from './evaluations.ts'
export * from './events.ts'
export * from './openapi.ts'
export * from './mails.ts'
export * from './new-source.ts'
export * from './source-types.ts'
export * from './members.ts'
export * from './organizations.ts'
export * from './overview.ts'
export * from './people.ts'
export type { Region } from './region.ts'
export * from './previews.ts'
export * from './proposal-states.ts'
export * from './proposal-items.ts'
export * from './proposal-list-views.ts'
export * from './proposal-sections.ts'
export * from './proposal-previews.ts'
export * from './proposal-questions.ts'
export * from './proposal-recipients.ts'
export * from './proposals.ts'
export * from './proposal-page-previews.ts'
export * from './proposal-views.ts'
export * from './questions.ts'
export * from './reindexes.ts'
export * from './requests.ts'
export * from './retrievals.ts'
export * from './roles.ts'
export * from './route.ts'
export * from './rules.ts'
export type { ListViews } from './saved-views.ts'
export * from './schemas.ts'
export * from './scopes.ts'
export * from './search-filter.ts'
export * from './search.ts'
export * from './source-views.ts'
export * from './sources.ts'
export * from './system.ts'
export * from './tokens.ts'
export * from './tools.ts'
export * from './uploads.ts'
export * from './webhook-deliveries.ts'
export * from './webhook-endpoint.ts'
export * from './webhooks.ts'
