import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { LoopHealth } from '../lib/loop-health.ts'
import { createWakeableSleep } from '../lib/wakeable-sleep.ts'
import { traced } from '../lib/tracing.ts'
import { handlerOf, spanOf, traceparentOf } from './job-data.ts'
import type { Handlers, Queue } from './jobs.ts'

export interface Consumer {
  /** Fetches jobs: there may be due ones. */
  wake(): void
  /** Takes no more jobs, aborts the running ones, hands them back and waits for their ends. */
  stop(): Promise<void>
}

/** One attempt at a job: with another `retryCount`, the job is under another attempt. */
export interface HeldJob {
  readonly id: string
  readonly retryCount: number
}

/**
 * Lets other workers take the job at once, unless it is under another attempt already.
 * @param counted whether the attempt counts against the retry limit of the queue
 */
export type HandBack = (queueName: string, held: HeldJob, options: { counted: boolean }) => Promise<void>

/** Work that has not ended so long after it was aborted is handed back while it still runs. */
const abortGraceMs = 3000

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
    handBack,
    onEnded,
  }: Slots & {
    onError: (error: Error) => void
    health: LoopHealth
    handBack: HandBack
    onEnded: (outcome: 'completed' | 'failed', data: Data) => void
  },
): Consumer {
  const stopping = new AbortController()
  const running = new Map<Promise<void>, { held: HeldJob; group: string | null }>()
  const idle = createWakeableSleep()
  const underWay = (): string[] => [...new Set([...running.values()].map(({ group }) => group))].filter((group) => group !== null)

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (running.size >= concurrency + spare) {
        await Promise.race(running.keys())
        continue
      }
      const batch = running.size < concurrency ? { batchSize: concurrency - running.size } : { batchSize: 1, ignoreGroups: underWay() }
      const jobs = await fetchJobs(() => boss.fetch<Data>(queue.name, { ...batch, includeMetadata: true }), health)
      for (const job of jobs) {
        const held = { id: job.id, retryCount: job.retryCount }
        const run = attempt(boss, queue, job, work, {
          stopping: stopping.signal,
          handBack: () => handBack(queue.name, held, { counted: false }),
          onCompleted: () => onEnded('completed', job.data),
        })
          .catch((error: Error) => {
            onEnded('failed', job.data)
            onError(error)
          })
          .finally(() => {
            running.delete(run)
            // Its slot is open to others than before, or its group to a spare one.
            if (running.size >= concurrency - 1) idle.wake()
          })
        running.set(run, { held, group: job.groupId ?? null })
      }
      if (jobs.length === 0) await idle.sleep()
    }
    await Promise.all(running.keys())
  }
  const ended = loop()

  /** Counted, so that late reports of the work belong to another attempt than the next one. */
  const handBackRunning = async (): Promise<void> => {
    await Promise.all([...running.values()].map(({ held }) => handBack(queue.name, held, { counted: true }).catch(onError)))
  }

  return {
    wake: idle.wake,
    async stop() {
      stopping.abort(new Error('the program is shutting down'))
      idle.wake()
      const timer = setTimeout(() => void handBackRunning(), abortGraceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Returns no jobs if they cannot be fetched: the next poll tries again. */
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
  { stopping, handBack, onCompleted }: { stopping: AbortSignal; handBack: () => Promise<void>; onCompleted: () => void },
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
    const signal = AbortSignal.any([stopping, lease.signal])
    const span = { ...spanOf('consumer', handlerOf(job.data) ?? queue.name), link: traceparentOf(job.data) }
    await traced(span, () => work({ id: job.id, data: job.data, retries: job.retryCount, signal }))
    await boss.complete(queue.name, held)
    onCompleted()
  } catch (error) {
    if (stopping.aborted && !lease.signal.aborted) return await handBack()
    if (!lease.signal.aborted) await boss.fail(queue.name, held, { message: error instanceof Error ? error.message : String(error) })
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

/** pg-boss answers every command with the number of jobs that it applied to, which its types leave out. */
const affected = (response: object): number => (response as { affected: number }).affected
