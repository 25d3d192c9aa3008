import type { Context } from './context.ts'
import type { Transaction } from './db/schema.ts'
import type { Queue } from './jobs/jobs.ts'
import { shortJobsQueue } from './jobs/short-jobs.ts'

/** A kind of job that runs for one organization and needs only a context. Modules define it, and `queues.ts` lists all of them. */
export interface OrganizationWork<Data extends object = object, C extends Context = Context> {
  /** The name of its jobs in metrics and in the log. */
  readonly name: string
  /** The queue of its long jobs. Without one, its jobs are short and in the queue for all short jobs. */
  readonly queue?: Queue
  /**
   * Must be idempotent. Long jobs stop when the signal is aborted: the program shuts down, or another worker has taken over the
   * job. Declared as a method, so that jobs with different data fit one list.
   */
  run(ctx: C, data: Data, signal?: AbortSignal): Promise<void>
  /** Runs after the last attempt has failed. The program also logs the job. */
  abandoned?(ctx: C, data: Data): Promise<void>
}

/** Defines a short job: at most ten minutes, retried for about 15 minutes. */
export function organizationWork<Data extends object, C extends Context = Context>(
  name: string,
  run: (ctx: C, data: Data) => Promise<void>,
): OrganizationWork<Data, C> {
  return { name, run }
}

/** Enqueues a job for the context's organization. It starts after the transaction has committed and the delay has passed. */
export function enqueueWork<Data extends object, C extends Context>(
  ctx: Pick<Context, 'jobs' | 'organizationId'>,
  trx: Transaction,
  work: OrganizationWork<Data, C>,
  data: Data,
  options?: { delaySeconds?: number },
): Promise<void> {
  const given = { ...data, organizationId: ctx.organizationId }
  if (work.queue !== undefined) return ctx.jobs.enqueue(trx, work.queue, given, options)
  return ctx.jobs.enqueue(trx, shortJobsQueue, given, { ...options, handler: work.name })
}
