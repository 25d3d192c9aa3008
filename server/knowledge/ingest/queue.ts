import type { Queue } from '../../jobs/jobs.ts'

/** One job a source: fetch, extract, chunk, embed, index. */
export const processSourceQueue: Queue = {
  name: 'process-source',
  retryLimit: 20,
  retryDelaySeconds: 1,
  leaseSeconds: 15,
  timeLimitSeconds: 6 * 3600,
}

export interface ProcessSource {
  organizationId: string
  sourceId: string
  generation: number
}

/** Files that nothing refers to any more. */
export const deleteFilesQueue: Queue = {
  name: 'delete-files',
  retryLimit: 20,
  retryDelaySeconds: 2,
  leaseSeconds: 30,
  timeLimitSeconds: 600,
}

export interface DeleteFiles {
  organizationId: string
  keys: string[]
}
