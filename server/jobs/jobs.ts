import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import type { Pool } from 'pg'
import { PgBoss, type Db } from 'pg-boss'
import { statementBuilder } from '../db/statement-builder.ts'
import { defer } from '../db/deferred.ts'
import type { Channel, Notifications } from '../db/notifications.ts'
import type { Transaction } from '../db/schema.ts'
import { reportingTo, type LoopHealth } from '../lib/loop-health.ts'
import { traced } from '../lib/tracing.ts'
import { handlerOf, spanOf } from './job-data.ts'
import { pollDueQueues } from './due-queues.ts'
import { consume, type Consumer, type HandBack, type Slots } from './consumer.ts'

/** A kind of work. Its jobs survive a kill: a worker keeps the lease of its job alive, or another worker takes the job. */
export interface Queue {
  readonly name: string
  /** Times that a job is taken up again after it failed or its worker died. */
  readonly retryLimit: number
  /** Seconds before the first of these; each further one waits about twice as long, up to a minute. */
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

export interface Handlers<Data> {
  /** Does the work; when it throws, the job is taken up again after a while. */
  work: (job: Job<Data>) => Promise<void>
  /** Told of a job whose attempts ran out. */
  abandoned: (data: Data) => Promise<void>
}

export interface EnqueueOptions {
  delaySeconds?: number
  /** The handler of the job, in a queue whose jobs are dispatched by name. */
  handler?: string
  /**
   * Jobs of a higher one start first; 0 by default. Those of the same start in the order in which they were added. An expression is
   * evaluated in the statement that adds the job.
   */
  priority?: number | RawBuilder<number>
  /** Whose job it is, for the slots that are kept free for others. */
  group?: string
}

/** abandoned: its attempts had run out, and that was told. */
export type JobOutcome = 'completed' | 'failed' | 'abandoned'

export interface QueueDepth {
  /** The name of a queue, or of a handler of short jobs. */
  readonly queue: string
  /** Jobs that are due and wait. */
  readonly waiting: number
  /** Jobs that a worker holds. */
  readonly active: number
  /** How long the oldest of the waiting ones has been due; 0 without one. */
  readonly oldestWaitingSeconds: number
}

export interface Jobs {
  /** Adds a job in the transaction of the row that it is about: both are kept, or neither. */
  enqueue(trx: Transaction, queue: Queue, data: object, options?: EnqueueOptions): Promise<void>
  /** Returns the statement that adds a job, for a transaction of the schema's owner. */
  statement(queue: Queue, data: object, options?: EnqueueOptions): Promise<CompiledQuery>
  /** Works on the queue's jobs until `stop`. */
  handle<Data extends object>(queue: Queue, handlers: Handlers<Data>, slots: Slots): void
  /**
   * Works on a queue whose jobs carry the name of their handler: on one job of each handler at a time, so that no handler waits
   * for another. Jobs of an unknown handler are retried, since another program may be newer.
   */
  dispatch(queue: Queue, handlers: ReadonlyMap<string, Handlers<never>>): void
  /** Of every queue now, in all processes together. */
  depths(): Promise<QueueDepth[]>
  /** Hands back the jobs that a killed run of this program held. Only for a program that is alone on its database. */
  releaseHeld(): Promise<void>
  /** Takes no more jobs, aborts the running ones, hands them back to other workers and waits for their ends. Jobs can still be added. */
  stopWork(): Promise<void>
  /** The same, and ends the queues. */
  stop(): Promise<void>
}

export interface JobsOptions {
  queues: readonly Queue[]
  /** The names that `depths` returns: those of the queues by default. */
  names?: readonly string[]
  /** Announces new jobs to a program that works on them and supervises; a program without them only enqueues. */
  worker: { readonly notifications: Notifications } | null
  /** Called with the error of each attempt at a job that failed. */
  onError: (error: Error) => void
  /** Told of the queues themselves: whether jobs can be fetched and supervised. `onError` is called instead by default. */
  health?: LoopHealth
  /** Told of every attempt at a job that this program ended. */
  onEnded?: ((queue: string, outcome: JobOutcome) => void) | undefined
}

const channel: Channel = 'groundwork_jobs'

/**
 * pg-boss drops a job that nobody took up for this long after it was due, by default for two weeks. Work must outlive a
 * program that stands still for longer, so this is the most that fits: 68 years.
 */
const retentionSeconds = 2_147_483_647

/** The queue's face over pg-boss: tables in the schema `pgboss` of the same database. */
export async function openJobs(
  pool: Pool,
  { queues, names = queues.map(({ name }) => name), worker, onError, health = reportingTo(onError), onEnded }: JobsOptions,
): Promise<Jobs> {
  const boss = await startBoss(pool, { queues, supervise: worker !== null, health })
  const consumers = new Map<string, Consumer>()
  const wake = (queue: string): void => consumers.get(queue)?.wake()
  const wakeAll = (): void => [...consumers.keys()].forEach(wake)
  // A lost connection delays jobs but loses none: due jobs are also polled.
  const poller = worker === null ? undefined : pollDueQueues(pool, { names: () => [...consumers.keys()], wake, health })
  await worker?.notifications.subscribe(channel, {
    onNotification(queue) {
      wake(queue)
      poller?.soon()
    },
    onListening: wakeAll,
  })
  const ended = (queue: Queue, outcome: JobOutcome, data: object): void => {
    if (outcome === 'failed') poller?.soon()
    onEnded?.(handlerOf(data) ?? queue.name, outcome)
  }
  const stopWork = async (): Promise<void> => {
    await Promise.all([...consumers.values()].map((consumer) => consumer.stop()))
  }
  const handBack: HandBack = async (queueName, { id, retryCount }, { counted }) => {
    await pool.query(handBackQuery, [queueName, id, retryCount, counted, channel])
  }
  const handle: Jobs['handle'] = (queue, { work, abandoned }, slots) => {
    const deadLetter = { name: deadLetterOf(queue), leaseSeconds: queue.leaseSeconds }
    consumers.set(
      queue.name,
      consume(boss, queue, work, { ...slots, onError, health, handBack, onEnded: (outcome, data) => ended(queue, outcome, data) }),
    )
    consumers.set(
      deadLetter.name,
      consume(boss, deadLetter, ({ data }) => abandoned(data as never), {
        concurrency: 1,
        onError,
        health,
        handBack,
        onEnded: (outcome, data) => outcome === 'completed' && ended(queue, 'abandoned', data),
      }),
    )
  }
  const statementOf: Jobs['statement'] = async (queue, data, { delaySeconds = 0, priority = 0, handler, group = handler } = {}) => {
    const of = group === undefined ? {} : { group: { id: group } }
    const named = handler === undefined ? data : { ...data, handler }
    const isGiven = typeof priority === 'number'
    const options = { startAfter: delaySeconds, priority: isGiven ? priority : 0, ...of }
    const withPriority = (jobs: unknown): RawBuilder<unknown> =>
      isGiven ? sql`${jobs}` : sql`jsonb_set(${jobs}::jsonb, '{0,priority}', to_jsonb(${priority}))`
    const insertion = await insertionOf((db) => boss.send(queue.name, named, { ...options, db }), withPriority)
    return statementBuilder
      .with('job', () => insertion)
      .selectFrom((db) =>
        db
          .selectFrom('job')
          .select(sql<number>`count(*)`.as('jobs'))
          .as('added'),
      )
      .select([
        sql`pg_notify(${channel}, ${queue.name})`.as('notified'),
        // Fails where pg-boss did not add the job, with a text that is no number.
        sql`case jobs when 1 then 1 else ('the queue took ' || jobs || ' jobs')::integer end`.as('taken'),
      ])
      .compile()
  }
  return {
    enqueue: (trx, queue, data, options = {}) =>
      traced(spanOf('producer', options.handler ?? queue.name), async ({ traceparent }) =>
        defer(trx, await statementOf(queue, { ...data, ...(traceparent !== undefined && { traceparent }) }, options)),
      ),
    statement: statementOf,
    handle,
    dispatch(queue, handlers) {
      const named = (data: object): Handlers<never> => {
        const handler = handlers.get(handlerOf(data) ?? '')
        if (handler === undefined) throw new Error(`The queue ${queue.name} has no handler ${handlerOf(data)}.`)
        return handler
      }
      // Safe casts: the name of the handler determines the type of the data.
      const dispatched: Handlers<object> = {
        work: async (job) => named(job.data).work(job as Job<never>),
        abandoned: async (data) => named(data).abandoned(data as never),
      }
      handle(queue, dispatched, { concurrency: 0, spare: handlers.size })
    },
    async depths() {
      const { rows } = await pool.query<QueueDepth>(depthsQuery, [queues.map(({ name }) => name), names])
      return rows
    },
    async releaseHeld() {
      const { rows } = await pool.query<{ name: string; ids: string[] }>(
        `select name, array_agg(id) as ids from pgboss.job where state = 'active' group by name`,
      )
      for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'the program was stopped' })
      poller?.soon()
    },
    stopWork,
    async stop() {
      await stopWork()
      await poller?.stop()
      await boss.stop({ graceful: false })
    },
  }
}

/**
 * Returns the only statement that `send` runs, without running it.
 * @param jobs returns the expression for its only parameter, a JSON array of jobs
 */
async function insertionOf(
  send: (db: Db) => Promise<unknown>,
  jobs: (parameter: unknown) => RawBuilder<unknown>,
): Promise<RawBuilder<{ id: string }>> {
  let insertion: RawBuilder<{ id: string }> | undefined
  await send({
    executeSql: async (text, [parameter] = []) => {
      const [before, after, ...others] = text.split('$1')
      if (before === undefined || after === undefined || others.length > 0) throw new Error('pg-boss adds jobs in another way')
      insertion = sql`(${sql.raw(before)}${jobs(parameter)}${sql.raw(after)})`
      return { rows: [{ id: '' }] }
    },
  })
  if (insertion === undefined) throw new Error('pg-boss adds jobs in another way')
  return insertion
}

/** pg-boss counts an attempt when it takes a job that has been started before. Its own commands make a failed job wait. */
const handBackQuery = `
  with handed_back as (
    update pgboss.job set state = 'retry', heartbeat_on = null, started_on = case when $4 then started_on end
    where name = $1 and id = $2::uuid and state = 'active' and retry_count = $3 returning 1
  )
  select pg_notify($5, $1) from handed_back`

const depthsQuery = `
  with job as (
    select coalesce(data ->> 'handler', name) as name, start_after from pgboss.job
      where name = any ($1) and state < 'active' and not blocked and start_after <= now()
    union all
    select coalesce(data ->> 'handler', name), null from pgboss.job where name = any ($1) and state = 'active'
  )
  select queue, count(start_after) as waiting, count(job.name) - count(start_after) as active,
    coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as "oldestWaitingSeconds"
  from unnest($2::text[]) as queue left join job on job.name = queue group by queue`

/** SQLSTATEs of two programs that make the same thing at the same moment. */
const collisions = new Set(['23505', '42P06', '42P07', '42710', 'XX000'])

/** pg-boss makes its tables at its first start; of several first starts at once, one makes them and the others try again. */
async function startBoss(
  pool: Pool,
  options: Pick<JobsOptions, 'queues'> & { supervise: boolean; health: LoopHealth },
  attemptsLeft = 10,
): Promise<PgBoss> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    schedule: false,
    supervise: options.supervise,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => options.health.failed(error))
  try {
    await boss.start()
    for (const queue of options.queues) await declare(boss, queue)
    // Declaring makes pg-boss forget a queue. `enqueue` would look it up again through the pool, inside a transaction, and
    // on the embedded engine, which has one session, wait for itself; any read makes pg-boss remember it.
    for (const queue of options.queues) await boss.findJobs(queue.name, { id: '00000000-0000-0000-0000-000000000000' })
    await pool.query(`
      grant usage on schema pgboss to groundwork_app;
      grant select, insert on all tables in schema pgboss to groundwork_app`)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false })
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (attemptsLeft === 0 || !collisions.has(code)) throw error
    await sleep(200)
    return startBoss(pool, options, attemptsLeft - 1)
  }
}

/** Returns the name of the queue for jobs whose attempts ran out. */
export const deadLetterOf = (queue: Queue): string => `${queue.name}-abandoned`

async function declare(boss: PgBoss, queue: Queue): Promise<void> {
  const settings = {
    retryLimit: queue.retryLimit,
    retryDelay: queue.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: 60,
    heartbeatSeconds: queue.leaseSeconds,
    expireInSeconds: queue.timeLimitSeconds,
    deleteAfterSeconds: 3600,
    retentionSeconds,
  }
  if ((await boss.getQueue(queue.name)) === null) {
    await boss.createQueue(deadLetterOf(queue), {
      retryLimit: 20,
      retryDelay: 5,
      heartbeatSeconds: queue.leaseSeconds,
      deleteAfterSeconds: 3600,
      retentionSeconds,
    })
    await boss.createQueue(queue.name, { ...settings, deadLetter: deadLetterOf(queue) })
  } else await boss.updateQueue(queue.name, settings)
}
