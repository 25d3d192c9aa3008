import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { JobOutcome, QueueDepth } from '../jobs/jobs.ts'

export interface AnsweredRequest {
  readonly method: string
  /** As the router has it, with its parameters' names; undefined where there is none. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** What this process counts of itself, beside what the database tells of the queues. Of all organizations together. */
export interface Metrics {
  request: (answered: AnsweredRequest) => void
  job: (queue: string, outcome: JobOutcome) => void
  /** A transaction held the session of the embedded database for so long. */
  databaseHold: (seconds: number) => void
  /** All of it in Prometheus' text format. */
  read(): Promise<string>
  readonly contentType: string
}

/** From a read of one row, over a search, to a large upload. */
const secondsBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

const holdBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** @param depths of every queue now, as the database has them: all processes tell the same */
export function createMetrics(depths: () => Promise<QueueDepth[]>): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'groundwork_http_request_duration_seconds',
    help: 'Requests that were answered, by route and status; streams count when they end',
    labelNames: ['method', 'route', 'status'],
    buckets: secondsBuckets,
    registers,
  })
  const jobs = new Counter({
    name: 'groundwork_jobs_total',
    help: 'Attempts at jobs that this process ended, by outcome; abandoned are jobs whose attempts ran out',
    labelNames: ['queue', 'outcome'],
    registers,
  })
  const holds = new Histogram({
    name: 'groundwork_database_hold_seconds',
    help: 'Time in which one transaction kept all others from the session of the embedded database',
    buckets: holdBuckets,
    registers,
  })
  const longestHold = new Gauge({
    name: 'groundwork_database_longest_hold_seconds',
    help: 'Longest hold of the session of the embedded database since the program was ready',
    registers,
  })
  let longestSeconds = 0
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames: ['queue'], registers })
  const waiting = gauge('groundwork_queue_waiting_jobs', 'Jobs that are due and wait for a worker')
  const active = gauge('groundwork_queue_active_jobs', 'Jobs that a worker holds')
  const oldest = gauge('groundwork_queue_oldest_waiting_seconds', 'How long the oldest of the waiting jobs has been due; 0 without one')
  return {
    request: ({ method, route = 'none', status, seconds }) => requests.observe({ method, route, status }, seconds),
    job: (queue, outcome) => jobs.inc({ queue, outcome }),
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
