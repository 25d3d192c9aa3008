import { CompiledQuery } from 'kysely'
import type { Pool } from 'pg'
import { PgBoss, type ConstructorOptions, type JobWithMetadata } from 'pg-boss'
import type { Transaction } from '../db/schema.ts'

/** A kind of work. Its jobs survive a kill: whoever holds one must keep its lease alive, or another takes it up. */
export interface Queue {
  readonly name: string
  /** Times that a job is taken up again after it failed or its worker died. */
  readonly retryLimit: number
  /** Seconds before the first of these; each further one waits about twice as long. */
  readonly retryDelaySeconds: number
  /** Seconds after which a silent worker counts as dead, at least 10. */
  readonly leaseSeconds: number
  /** Seconds that one attempt may take in all. */
  readonly timeLimitSeconds: number
}

export interface Job<Data> {
  readonly id: string
  readonly data: Data
  /** 0 on the first attempt. */
  readonly retries: number
  /** Aborted when the lease is lost or the program shuts down. */
  readonly signal: AbortSignal
}

export interface Jobs {
  /** Adds a job in the transaction of the row that it is about: both are kept, or neither. */
  enqueue(trx: Transaction, queue: Queue, data: object, options?: { delaySeconds?: number; priority?: number }): Promise<void>
  /** Works on the queue's jobs until `stop`; `abandoned` is told of a job whose attempts ran out. */
  handle<Data extends object>(queue: Queue, handlers: Handlers<Data>, options: { concurrency: number }): Promise<void>
  /** Hands back what a former run of this program held when it was killed; only for a program that is alone on its database. */
  releaseHeld(): Promise<void>
  /** Takes no more jobs and gives the running ones `timeoutMs` to end. */
  stop(timeoutMs: number): Promise<void>
}

export interface Handlers<Data> {
  work(job: Job<Data>): Promise<void>
  abandoned(data: Data): Promise<void>
}

export interface JobsOptions {
  queues: readonly Queue[]
  /** Whether this program also works and supervises, or only enqueues. */
  worker: boolean
  onError: (error: Error) => void
}

/** The queue's face over pg-boss: tables in the schema `pgboss` of the same database. */
export async function openJobs(pool: Pool, { queues, worker, onError }: JobsOptions): Promise<Jobs> {
  const boss = new PgBoss({
    db: poolAdapter(pool, onError),
    schedule: false,
    supervise: worker,
    useListenNotify: worker,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', onError)
  await boss.start()
  for (const queue of queues) await declare(boss, queue)
  await pool.query(`
    grant usage on schema pgboss to groundwork_app;
    grant select on all tables in schema pgboss to groundwork_app;
    grant insert on all tables in schema pgboss to groundwork_app`)
  return {
    async enqueue(trx, queue, data, { delaySeconds = 0, priority = 0 } = {}) {
      const id = await boss.send(queue.name, data, { db: transactionAdapter(trx), startAfter: delaySeconds, priority })
      if (id === null) throw new Error(`the queue ${queue.name} did not take the job`)
    },
    async handle(queue, { work, abandoned }, { concurrency }) {
      const options = { includeMetadata: true, localConcurrency: concurrency, pollingIntervalSeconds: 2 } as const
      await boss.work(queue.name, options, async (jobs: JobWithMetadata<never>[]) => {
        for (const { id, data, retryCount, signal } of jobs) await work({ id, data, retries: retryCount, signal })
      })
      await boss.work(deadLetterOf(queue), { pollingIntervalSeconds: 2 }, async (jobs) => {
        for (const { data } of jobs) await abandoned(data as never)
      })
    },
    async releaseHeld() {
      await pool.query(`update pgboss.job set heartbeat_on = to_timestamp(0) where state = 'active' and heartbeat_seconds is not null`)
      for (const queue of queues) await boss.supervise(queue.name)
    },
    stop: (timeoutMs) => boss.stop({ graceful: true, timeout: timeoutMs }),
  }
}

const deadLetterOf = (queue: Queue): string => `${queue.name}-abandoned`

async function declare(boss: PgBoss, queue: Queue): Promise<void> {
  const settings = {
    retryLimit: queue.retryLimit,
    retryDelay: queue.retryDelaySeconds,
    retryBackoff: true,
    heartbeatSeconds: queue.leaseSeconds,
    expireInSeconds: queue.timeLimitSeconds,
    deleteAfterSeconds: 3600,
    notify: true,
  }
  await boss.createQueue(deadLetterOf(queue), { retryLimit: 10, retryDelay: 5, notify: true, deleteAfterSeconds: 3600 })
  await boss.createQueue(queue.name, { ...settings, deadLetter: deadLetterOf(queue) })
  await boss.updateQueue(queue.name, settings)
}

type BossDatabase = NonNullable<ConstructorOptions['db']>

function poolAdapter(pool: Pool, onError: (error: Error) => void): BossDatabase {
  return {
    executeSql: (text, values) => pool.query(text, values),
    async listen(channel, onNotification, onReconnect) {
      const client = await pool.connect()
      client.on('notification', ({ payload }) => onNotification(payload ?? ''))
      client.on('error', onError)
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      onReconnect()
      // Destroyed rather than given back: it must not go on listening under another owner.
      return { close: async () => client.release(true) }
    },
  }
}

const transactionAdapter = (trx: Transaction): BossDatabase => ({
  executeSql: async (text, values) => ({ rows: (await trx.executeQuery(CompiledQuery.raw(text, values))).rows }),
})
