import type { GroundworkApi } from '@groundwork/api'
import { activityHandlers, taskHandlers } from './activities/handlers.ts'
import { auditHandlers } from './audit/handlers.ts'
import { certificateHandlers } from './certificates/handlers.ts'
import { companyHandlers, companyMergeHandlers } from './companies/handlers.ts'
import { consentHandlers } from './consent/handlers.ts'
import { companyDuplicateHandlers } from './company-duplicates/handlers.ts'
import { contactDuplicateHandlers } from './contact-duplicates/handlers.ts'
import { contactMergeHandlers } from './contact-merges/handlers.ts'
import { contactHandlers, contactSearchHandlers, contactSuggestionHandlers, contactTagHandlers } from './contacts/handlers.ts'
import { contactExportHandlers } from './contact-exports/handlers.ts'
import { contactImportHandlers } from './contact-imports/handlers.ts'
import { contactJobHandlers } from './contact-jobs/handlers.ts'
import { customFieldHandlers } from './custom-fields/handlers.ts'
import { eventHandlers } from './events/handlers.ts'
import type { Handlers } from './handlers.ts'
import type { Platform } from './platform.ts'
import { peopleHandlers } from './setup/handlers.ts'
import { answerHandlers } from './knowledge/answers/handlers.ts'
import { baseHandlers } from './knowledge/bases/handlers.ts'
import { evaluationHandlers, questionHandlers } from './knowledge/evaluations/handlers.ts'
import { previewHandlers } from './knowledge/preview/handlers.ts'
import { reindexHandlers } from './knowledge/reindex/handlers.ts'
import { retrievalHandlers } from './knowledge/retrievals/handlers.ts'
import { searchHandlers } from './knowledge/search/handlers.ts'
import { sourceHandlers } from './knowledge/sources/handlers.ts'
import { uploadHandlers } from './knowledge/uploads/handlers.ts'
import { mailHandlers } from './mail/handlers.ts'
import { invitationHandlers, memberHandlers } from './members/handlers.ts'
import { organizationHandlers } from './organizations/handlers.ts'
import { overviewHandlers } from './overview/overview.ts'
import { privacyHandlers } from './privacy/handlers.ts'
import { requestHandlers } from './requests/handlers.ts'
import { proposalHandlers, proposalQuestionHandlers } from './proposals/handlers.ts'
import { contactViewHandlers } from './saved-views/of-contacts.ts'
import { proposalListViewHandlers } from './saved-views/of-proposals.ts'
import { sourceViewHandlers } from './saved-views/of-sources.ts'
import { systemHandlers } from './system/system.ts'
import { toolHandlers } from './integrations/tools/handlers.ts'
import { tokenHandlers } from './tokens/handlers.ts'
import { webhookDeliveryHandlers, webhookHandlers } from './webhooks/handlers.ts'

/** The handlers of every route. */
export const moduleHandlers: Handlers<GroundworkApi, Platform> = {
  overview: overviewHandlers,
  contacts: contactHandlers,
  contactSearch: contactSearchHandlers,
  contactExports: contactExportHandlers,
  contactImports: contactImportHandlers,
  contactJobs: contactJobHandlers,
  contactSuggestions: contactSuggestionHandlers,
  contactTags: contactTagHandlers,
  contactDuplicates: contactDuplicateHandlers,
  companyDuplicates: companyDuplicateHandlers,
  contactMerges: contactMergeHandlers,
  contactViews: contactViewHandlers,
  companies: companyHandlers,
  companyMerges: companyMergeHandlers,
  activities: activityHandlers,
  tasks: taskHandlers,
  consent: consentHandlers,
  privacy: privacyHandlers,
  customFields: customFieldHandlers,
  proposals: proposalHandlers,
  proposalListViews: proposalListViewHandlers,
  proposalQuestions: proposalQuestionHandlers,
  certificates: certificateHandlers,
  bases: baseHandlers,
  sources: sourceHandlers,
  sourceViews: sourceViewHandlers,
  uploads: uploadHandlers,
  previews: previewHandlers,
  reindexes: reindexHandlers,
  search: searchHandlers,
  answers: answerHandlers,
  retrievals: retrievalHandlers,
  questions: questionHandlers,
  evaluations: evaluationHandlers,
  tokens: tokenHandlers,
  events: eventHandlers,
  audit: auditHandlers,
  requests: requestHandlers,
  webhooks: webhookHandlers,
  webhookDeliveries: webhookDeliveryHandlers,
  people: peopleHandlers,
  organizations: organizationHandlers,
  members: memberHandlers,
  invitations: invitationHandlers,
  mails: mailHandlers,
  tools: toolHandlers,
  system: systemHandlers,
}
