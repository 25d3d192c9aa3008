import type { Context } from './context.ts'
import type { Transaction } from './db/schema.ts'
import type { Queue } from './jobs/jobs.ts'

/** Work on behalf of one organization that needs nothing beyond a context. Its room exports it, `queues.ts` gathers all. */
export interface OrganizationWork<Data extends object = object> {
  readonly queue: Queue
  /**
   * Running it twice is the same as once. Work that lasts stops when the signal is aborted: the program shuts down, or another
   * worker has the job. A method, so that work on different data fits one list.
   */
  run(ctx: Context, data: Data, signal?: AbortSignal): Promise<void>
  /** Told of work of which the attempts ran out, beside the log of the program. */
  abandoned?(ctx: Context, data: Data): Promise<void>
}

/** Short work, tried for about a quarter of an hour. */
export function organizationWork<Data extends object>(
  name: string,
  run: (ctx: Context, data: Data) => Promise<void>,
): OrganizationWork<Data> {
  return { queue: { name, retryLimit: 20, retryDelaySeconds: 2, leaseSeconds: 30, timeLimitSeconds: 600 }, run }
}

/** Has the work done for the context's organization, once the transaction is committed and the delay is over. */
export function enqueueWork<Data extends object>(
  ctx: Pick<Context, 'jobs' | 'organizationId'>,
  trx: Transaction,
  work: OrganizationWork<Data>,
  data: Data,
  options?: { delaySeconds?: number },
): Promise<void> {
  return ctx.jobs.enqueue(trx, work.queue, { ...data, organizationId: ctx.organizationId }, options)
}
