import type { Queue } from '../../jobs/jobs.ts'

/** One job a source: fetch, extract, chunk, embed, index. */
export const processSourceQueue: Queue = {
  name: 'process-source',
  retryLimit: 20,
  retryDelaySeconds: 1,
  leaseSeconds: 15,
  timeLimitSeconds: 6 * 3600,
}

/** The same for a site, which takes long and mostly waits: beside the other sources, not before them. */
export const crawlSiteQueue: Queue = { ...processSourceQueue, name: 'crawl-site' }
