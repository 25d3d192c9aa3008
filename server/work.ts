import type { Context } from './context.ts'
import type { Transaction } from './db/schema.ts'
import type { Queue } from './jobs/jobs.ts'

/** A kind of job that runs for one organization and needs only a context. Modules define it, and `queues.ts` lists all of them. */
export interface OrganizationWork<Data extends object = object, C extends Context = Context> {
  readonly queue: Queue
  /**
   * Must be idempotent. Long jobs stop when the signal is aborted: the program shuts down, or another worker has taken over the
   * job. Declared as a method, so that jobs with different data fit one list.
   */
  run(ctx: C, data: Data, signal?: AbortSignal): Promise<void>
  /** Runs after the last attempt has failed. The program also logs the job. */
  abandoned?(ctx: C, data: Data): Promise<void>
}

/** Defines a short job that is retried for about 15 minutes. */
export function organizationWork<Data extends object, C extends Context = Context>(
  name: string,
  run: (ctx: C, data: Data) => Promise<void>,
): OrganizationWork<Data, C> {
  return { queue: { name, retryLimit: 20, retryDelaySeconds: 2, leaseSeconds: 30, timeLimitSeconds: 600 }, run }
}

/** Enqueues a job for the context's organization. It starts after the transaction has committed and the delay has passed. */
export function enqueueWork<Data extends object, C extends Context>(
  ctx: Pick<Context, 'jobs' | 'organizationId'>,
  trx: Transaction,
  work: OrganizationWork<Data, C>,
  data: Data,
  options?: { delaySeconds?: number },
): Promise<void> {
  return ctx.jobs.enqueue(trx, work.queue, { ...data, organizationId: ctx.organizationId }, options)
}
