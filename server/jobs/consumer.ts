import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { LoopHealth } from '../lib/loop-health.ts'
import type { Handlers, Queue } from './jobs.ts'

/** How often an idle consumer looks by itself: for retries that fall due, and should a notification be lost. */
const pollMs = 1000

export interface Consumer {
  /** Says that there may be work. */
  wake(): void
  /** Takes no more jobs, aborts the running ones and waits for them. */
  stop(): Promise<void>
}

/** How many jobs of a queue this process works on at a time. */
export interface Slots {
  readonly concurrency: number
  /** Slots beside these for groups that have no job under way: a group whose long jobs hold all others keeps nobody out. */
  readonly spare?: number
}

/** Works on a queue, keeping the lease of each job under way alive. */
export function consume<Data extends object>(
  boss: PgBoss,
  queue: Pick<Queue, 'name' | 'leaseSeconds'>,
  work: Handlers<Data>['work'],
  {
    concurrency,
    spare = 0,
    onError,
    health,
    onEnded,
  }: Slots & { onError: (error: Error) => void; health: LoopHealth; onEnded: (outcome: 'completed' | 'failed') => void },
): Consumer {
  const stopping = new AbortController()
  /** The group of each job under way. */
  const running = new Map<Promise<void>, string | null>()
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

  const rouse = (): void => {
    woken = true
    wake()
  }
  const underWay = (): string[] => [...new Set(running.values())].filter((group) => group !== null)

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (running.size >= concurrency + spare) {
        await Promise.race(running.keys())
        continue
      }
      const batch = running.size < concurrency ? { batchSize: concurrency - running.size } : { batchSize: 1, ignoreGroups: underWay() }
      const jobs = await fetchJobs(() => boss.fetch<Data>(queue.name, { ...batch, includeMetadata: true }), health)
      for (const job of jobs) {
        const run = attempt(boss, queue, job, work, stopping.signal)
          .then(
            () => onEnded('completed'),
            (error: Error) => {
              onEnded('failed')
              onError(error)
            },
          )
          .finally(() => {
            running.delete(run)
            // Its slot is open to others than before, or its group to a spare one.
            if (running.size >= concurrency - 1) rouse()
          })
        running.set(run, job.groupId ?? null)
      }
      if (jobs.length === 0) await idle()
    }
    await Promise.all(running.keys())
  }
  const ended = loop()

  return {
    wake: rouse,
    stop() {
      stopping.abort(new Error('the program is shutting down'))
      wake()
      return ended
    },
  }
}

/** No jobs where they cannot be fetched: the next round tries again. */
async function fetchJobs<T>(fetch: () => Promise<T[]>, health: LoopHealth): Promise<T[]> {
  try {
    const jobs = await fetch()
    health.succeeded()
    return jobs
  } catch (error) {
    health.failed(error)
    return []
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
