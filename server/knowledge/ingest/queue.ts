import type { Queue } from '../../jobs/jobs.ts'

/** One job per source. */
export const processSourceQueue: Queue = {
  name: 'process-source',
  retryLimit: 20,
  retryDelaySeconds: 1,
  leaseSeconds: 15,
  timeLimitSeconds: 6 * 3600,
}

/** The jobs of sites. A crawl takes long and mostly waits, so it has slots of its own. */
export const crawlSiteQueue: Queue = { ...processSourceQueue, name: 'crawl-site' }
