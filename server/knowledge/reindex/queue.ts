import { sql } from 'kysely'
import type { Transaction } from '../../db/schema.ts'
import type { Jobs, Queue } from '../../jobs/jobs.ts'

/** One job per source: its stored text is chunked, embedded and written beside the live index. */
export const buildShadowQueue: Queue = {
  name: 'build-shadow',
  retryLimit: 20,
  retryDelaySeconds: 1,
  leaseSeconds: 15,
  timeLimitSeconds: 6 * 3600,
}

/** One job when all sources are built: runs the evaluation questions in both indexes. */
export const compareReindexQueue: Queue = {
  name: 'compare-reindex',
  retryLimit: 8,
  retryDelaySeconds: 2,
  leaseSeconds: 30,
  timeLimitSeconds: 3600,
}

export interface CompareReindex {
  organizationId: string
  baseId: string
  reindexId: string
  /** A job of an earlier state of the index has no effect. */
  stamp: string
}

/** Handles the short job of a re-index that switches by itself, when it is ready. */
export const switchReindexHandler = 'switch-reindex'

export interface SwitchWhenReady {
  organizationId: string
  baseId: string
  reindexId: string
}

export interface BuildShadow {
  organizationId: string
  reindexId: string
  sourceId: string
  generation: number
}

/** Queues a build in the caller's transaction. Knowledge bases take turns, weighted by the chunks of the source. */
export async function enqueueBuild(
  jobs: Pick<Jobs, 'enqueue'>,
  trx: Transaction,
  data: BuildShadow,
  { baseId, chunks }: { baseId: string; chunks: number },
): Promise<void> {
  const cost = chunks <= 100 ? 1 : chunks <= 2000 ? 4 : 16
  const priority = sql<number>`-take_turn(${buildShadowQueue.name}, ${baseId}, ${cost})`
  await jobs.enqueue(trx, buildShadowQueue, data, { priority, group: data.organizationId })
}
