import type { Queue } from './jobs.ts'

/** Jobs of at most ten minutes, dispatched by the name of their handler, and retried for about 15 minutes. */
export const shortJobsQueue: Queue = {
  name: 'short-jobs',
  retryLimit: 20,
  retryDelaySeconds: 2,
  leaseSeconds: 30,
  timeLimitSeconds: 600,
}
