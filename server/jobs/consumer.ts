import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Handlers, Queue } from './jobs.ts'

/** How often an idle consumer looks by itself: for retries that fall due, and should a notification be lost. */
const pollMs = 1000

export interface Consumer {
  /** Says that there may be work. */
  wake(): void
  /** Takes no more jobs, aborts the running ones and waits for them. */
  stop(): Promise<void>
}

/** Works on a queue with at most `concurrency` jobs at a time, keeping the lease of each alive. */
export function consume<Data extends object>(
  boss: PgBoss,
  queue: Pick<Queue, 'name' | 'leaseSeconds'>,
  work: Handlers<Data>['work'],
  { concurrency, onError }: { concurrency: number; onError: (error: Error) => void },
): Consumer {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  let wake = (): void => undefined
  let woken = false

  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, woken ? 0 : pollMs)
      woken = false
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const jobs = await boss
        .fetch<Data>(queue.name, { batchSize: concurrency - running.size, includeMetadata: true })
        .catch((error: Error) => {
          onError(error)
          return []
        })
      for (const job of jobs) {
        const run = attempt(boss, queue, job, work, stopping.signal)
          .catch(onError)
          .finally(() => running.delete(run))
        running.add(run)
      }
      if (running.size >= concurrency) await Promise.race(running)
      else if (jobs.length === 0) await idle()
    }
    await Promise.all(running)
  }
  const ended = loop()

  return {
    wake() {
      woken = true
      wake()
    },
    stop() {
      stopping.abort(new Error('the program is shutting down'))
      wake()
      return ended
    },
  }
}

async function attempt<Data extends object>(
  boss: PgBoss,
  queue: Pick<Queue, 'name' | 'leaseSeconds'>,
  job: JobWithMetadata<Data>,
  work: Handlers<Data>['work'],
  stopping: AbortSignal,
): Promise<void> {
  const lease = new AbortController()
  const held = { id: job.id, retryCount: job.retryCount }
  const heartbeat = setInterval(
    () => {
      boss.touch(queue.name, held).then(
        (response) => affected(response) === 0 && lease.abort(new Error('the lease of this job was lost')),
        () => undefined, // The next beat tries again; if none gets through, another worker takes the job up.
      )
    },
    (queue.leaseSeconds * 1000) / 4,
  )
  try {
    await work({ id: job.id, data: job.data, retries: job.retryCount, signal: AbortSignal.any([stopping, lease.signal]) })
    await boss.complete(queue.name, held)
  } catch (error) {
    if (!lease.signal.aborted) await boss.fail(queue.name, held, { message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

/** pg-boss answers every command with the number of jobs that it applied to, which its types leave out. */
const affected = (response: object): number => (response as { affected: number }).affected
