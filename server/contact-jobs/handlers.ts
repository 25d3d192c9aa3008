import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { bulkChange, cancelJob, getJob, listJobs, listKept, revertContacts } from './jobs.ts'

export const contactJobHandlers: Handlers<GroundworkApi>['contactJobs'] = {
  revert: (ctx, { body }) => revertContacts(ctx, body),
  bulk: (ctx, { body }) => bulkChange(ctx, body),
  list: (ctx, { query }) => listJobs(ctx, query),
  get: (ctx, { params }) => getJob(ctx, params.jobId),
  cancel: (ctx, { params }) => cancelJob(ctx, params.jobId),
  kept: (ctx, { params, query }) => listKept(ctx, params.jobId, query),
}
