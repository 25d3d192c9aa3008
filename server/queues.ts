import { auditRetention } from './audit/retention.ts'
import { linkContactsWork } from './companies/contacts-of-company.ts'
import { purgeCompanyWork } from './companies/purge.ts'
import { purgeContactWork } from './contacts/purge.ts'
import { deleteImportErrorsWork } from './contact-imports/retention.ts'
import { deleteKeptValuesWork } from './contact-jobs/retention.ts'
import { contactJobWork } from './contact-jobs/work.ts'
import { importContactsWork } from './contact-imports/work.ts'
import { changeTagsWork } from './contacts/tags.ts'
import { eventRetention } from './events/retention.ts'
import { sendResetHandler } from './identity/reset-mail.ts'
import { deleteStoredFilesWork } from './files/stored-files.ts'
import { shortJobsQueue } from './jobs/short-jobs.ts'
import { evaluateBaseWork } from './knowledge/evaluations/work.ts'
import { deleteFilesWork } from './knowledge/uploads/delete-files.ts'
import { deleteIndexWork } from './knowledge/index/remove.ts'
import { crawlSiteQueue, processSourceQueue } from './knowledge/ingest/queue.ts'
import { compareReindexWork } from './knowledge/reindex/compare.ts'
import { dropReindexWork } from './knowledge/reindex/drop.ts'
import { followModelWork } from './knowledge/reindex/follow-model.ts'
import { buildShadowQueue } from './knowledge/reindex/queue.ts'
import { switchReindexWork } from './knowledge/reindex/switch-by-itself.ts'
import { deleteExpiredRetrievalsWork } from './knowledge/retrievals/retention.ts'
import { deleteMailFilesWork } from './mail/erase.ts'
import { sendMailWork } from './mail/send.ts'
import type { PlatformContext } from './platform.ts'
import { expireProposalWork } from './proposals/expiry.ts'
import { eraseContractsWork } from './proposals/contract-retention.ts'
import { remindProposalWork } from './proposals/mail/reminders.ts'
import { voidOfDeletedContactWork } from './proposals/of-deleted-contact.ts'
import { purgeAnswersWork } from './idempotency/purge.ts'
import { deleteExpiredRequestsWork } from './requests/retention.ts'
import { redeliverWork } from './webhooks/redeliver-range.ts'
import { syncSourceWork } from './knowledge/sources/schedule.ts'
import type { OrganizationWork } from './work.ts'

export const organizationWorks: readonly OrganizationWork<object, PlatformContext>[] = [
  changeTagsWork,
  compareReindexWork,
  deleteFilesWork,
  deleteIndexWork,
  deleteMailFilesWork,
  deleteStoredFilesWork,
  dropReindexWork,
  eraseContractsWork,
  evaluateBaseWork,
  expireProposalWork,
  followModelWork,
  deleteImportErrorsWork,
  importContactsWork,
  contactJobWork,
  deleteKeptValuesWork,
  linkContactsWork,
  deleteExpiredRequestsWork,
  deleteExpiredRetrievalsWork,
  auditRetention.work,
  eventRetention.work,
  purgeCompanyWork,
  purgeContactWork,
  purgeAnswersWork,
  redeliverWork,
  remindProposalWork,
  sendMailWork,
  switchReindexWork,
  syncSourceWork,
  voidOfDeletedContactWork,
]

const ownQueues = [
  processSourceQueue,
  crawlSiteQueue,
  buildShadowQueue,
  ...organizationWorks.flatMap(({ queue }) => (queue === undefined ? [] : [queue])),
]
const shortJobs = [sendResetHandler, ...organizationWorks.filter(({ queue }) => queue === undefined).map(({ name }) => name)]

/** All queues of the program. */
export const queues = [...ownQueues, shortJobsQueue]

/** The names of all kinds of jobs: of the queues with one kind, and of the handlers of short jobs. */
export const jobNames = [...ownQueues.map(({ name }) => name), ...shortJobs]
