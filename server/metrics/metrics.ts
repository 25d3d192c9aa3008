import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { JobOutcome, QueueDepth } from '../jobs/jobs.ts'

export interface RequestSample {
  readonly method: string
  /** The route pattern, such as `/v1/contacts/:id`; undefined without a route. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** Metrics of this process, plus the queue depths in the database. They cover all organizations together. */
export interface Metrics {
  request: (sample: RequestSample) => void
  job: (queue: string, outcome: JobOutcome) => void
  /** Counts a statement of a list or report, if there is a replica of the database, by the server that answered it. */
  replicaRead: (server: 'replica' | 'primary') => void
  /** Records how long a transaction blocked the session of the embedded database. */
  databaseHold: (seconds: number) => void
  /** Returns all metrics in the Prometheus text format. */
  read(): Promise<string>
  readonly contentType: string
}

/** Buckets from reading one row to a large upload. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

const holdBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** @param depths reads the depth of every queue from the database, so it is the same in all processes */
export function createMetrics(depths: () => Promise<QueueDepth[]>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'groundwork_http_request_duration_seconds',
    help: 'Duration of HTTP requests by route and status. Streams are counted when they end.',
    labelNames: ['method', 'route', 'status'],
    buckets: secondsBuckets,
    registers,
  })
  const jobs = new Counter({
    name: 'groundwork_jobs_total',
    help: 'Attempts at jobs that ended in this process, by outcome. Abandoned: the last attempt failed.',
    labelNames: ['queue', 'outcome'],
    registers,
  })
  const replicaReads = new Counter({
    name: 'groundwork_replica_reads_total',
    help: 'Statements of lists and reports by the server that answered them, if there is a replica of the database',
    labelNames: ['server'],
    registers,
  })
  const holds = new Histogram({
    name: 'groundwork_database_hold_seconds',
    help: 'Time for which one transaction blocked the session of the embedded database',
    buckets: holdBuckets,
    registers,
  })
  const longestHold = new Gauge({
    name: 'groundwork_database_longest_hold_seconds',
    help: 'Longest time for which one transaction blocked the session of the embedded database since the program was ready',
    registers,
  })
  let longestSeconds = 0
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['queue'], registers })
  const waiting = gauge('groundwork_queue_waiting_jobs', 'Jobs that are due and not started')
  const active = gauge('groundwork_queue_active_jobs', 'Jobs in progress')
  const oldest = gauge('groundwork_queue_oldest_waiting_seconds', 'Time since the oldest waiting job was due; 0 if none is waiting')
  return {
    request: ({ method, route = 'none', status, seconds }) => requests.observe({ method, route, status }, seconds),
    job: (queue, outcome) => jobs.inc({ queue, outcome }),
    replicaRead: (server) => replicaReads.inc({ server }),
    databaseHold(seconds) {
      holds.observe(seconds)
      longestSeconds = Math.max(longestSeconds, seconds)
      longestHold.set(longestSeconds)
    },
    contentType: registry.contentType,
    async read() {
      for (const { queue, ...depth } of await depths()) {
        waiting.set({ queue }, depth.waiting)
        active.set({ queue }, depth.active)
        oldest.set({ queue }, depth.oldestWaitingSeconds)
      }
      return registry.metrics()
    },
  }
}
