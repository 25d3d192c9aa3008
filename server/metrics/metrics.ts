import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { JobOutcome, QueueDepth } from '../jobs/jobs.ts'
import type { IngestionOutcome, Measurements } from '../lib/measurements.ts'
import { createGauges, type MetricSources } from './gauges.ts'

export interface RequestSample {
  readonly method: string
  /** The route pattern, such as `/v1/contacts/:id`; undefined without a route. */
  readonly route: string | undefined
  readonly status: number
  readonly seconds: number
}

/** Metrics of this process, plus gauges that are read from their sources. They cover all organizations together. */
export interface Metrics extends Measurements {
  request: (sample: RequestSample) => void
  job: (queue: string, outcome: JobOutcome) => void
  /** Counts a statement of a list or report, if there is a replica of the database, by the server that answered it. */
  replicaRead: (server: 'replica' | 'primary') => void
  /** Records how long a transaction blocked the session of the embedded database. */
  databaseHold: (seconds: number) => void
  /** Returns all metrics in the Prometheus text format. */
  read(): Promise<string>
  /** Returns name, type and labels of all metrics of Groundwork, without those of the process. */
  describe(): [name: string, type: string, labels: string[]][]
  readonly contentType: string
}

/** Buckets from reading one row to a large upload. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const holdBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const searchBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]
/** Buckets from a small text to a site of thousands of pages. */
const ingestionBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200]

const ingestionOutcomes: readonly IngestionOutcome[] = ['completed', 'unchanged', 'failed', 'retried', 'superseded', 'interrupted']
const jobOutcomes: readonly JobOutcome[] = ['completed', 'failed', 'abandoned']

/** @param sources values that are read at each request for the metrics */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], labelNames: Label[] = []) =>
    new Histogram<Label>({ name, help, buckets, labelNames, registers })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter<Label>({ name, help, labelNames, registers })

  const requests = histogram(
    'groundwork_http_request_duration_seconds',
    'Duration of HTTP requests by route and status. Streams are counted when they end.',
    requestBuckets,
    ['method', 'route', 'status'],
  )
  const jobs = counter('groundwork_jobs_total', 'Attempts at jobs that ended in this process. Abandoned: the last attempt failed.', [
    'queue',
    'outcome',
  ])
  const replicaReads = counter(
    'groundwork_replica_reads_total',
    'Statements of lists and reports by the server that answered them, if there is a replica of the database',
    ['server'],
  )
  const searches = histogram('groundwork_search_duration_seconds', 'Duration of searches, without HTTP', searchBuckets)
  const searchSteps = histogram('groundwork_search_step_duration_seconds', 'Duration of the steps of searches', searchBuckets, ['step'])
  const leftOutParts = counter('groundwork_search_left_out_total', 'Parts that searches left out, as `degraded` of the answer names them', [
    'part',
  ])
  const indexLoads = histogram(
    'groundwork_search_index_load_duration_seconds',
    'Duration of reading a search index. Cold: from the database. File: from its file. Update: sources changed.',
    searchBuckets,
    ['kind'],
  )
  const ingestionSteps = histogram('groundwork_ingestion_step_duration_seconds', 'Duration of the steps of sources', ingestionBuckets, [
    'step',
  ])
  const ingestions = counter('groundwork_ingestions_total', 'Attempts at processing sources that ended in this process', ['outcome'])
  const embeddings = histogram('groundwork_embedding_batch_duration_seconds', 'Duration of embedding a batch of chunks', requestBuckets)
  const embeddedChunks = counter('groundwork_embedded_chunks_total', 'Chunks that received a vector. Reused: it existed already.', [
    'reused',
  ])
  const webhooks = histogram('groundwork_webhook_attempt_duration_seconds', 'Duration of attempts at webhook deliveries', requestBuckets, [
    'outcome',
  ])
  const holds = histogram(
    'groundwork_database_hold_seconds',
    'Time for which one transaction blocked the session of the embedded database',
    holdBuckets,
  )
  const longestHold = new Gauge({
    name: 'groundwork_database_longest_hold_seconds',
    help: 'Longest time for which one transaction blocked the session of the embedded database since the program was ready',
    registers,
  })
  let longestSeconds = 0
  // Prometheus sees the first failure as an increase only if the counter was 0 before.
  for (const outcome of ingestionOutcomes) ingestions.inc({ outcome }, 0)
  const startCounting = (depths: readonly QueueDepth[]): void => {
    for (const { queue } of depths) for (const outcome of jobOutcomes) jobs.inc({ queue, outcome }, 0)
  }
  const { queues } = sources
  const gauges = createGauges(registry, {
    ...sources,
    ...(queues && {
      async queues() {
        const depths = await queues()
        startCounting(depths)
        return depths
      },
    }),
  })
  const own = registry.getMetricsAsArray()
  collectDefaultMetrics({ register: registry })
  return {
    request: ({ method, route = 'none', status, seconds }) => requests.observe({ method, route, status }, seconds),
    job: (queue, outcome) => jobs.inc({ queue, outcome }),
    search(seconds, leftOut) {
      searches.observe(seconds)
      for (const part of leftOut) leftOutParts.inc({ part })
    },
    searchStep: (step, seconds) => searchSteps.observe({ step }, seconds),
    indexLoad: (kind, seconds) => indexLoads.observe({ kind }, seconds),
    ingestionStep: (step, seconds) => ingestionSteps.observe({ step }, seconds),
    ingestion: (outcome) => ingestions.inc({ outcome }),
    embeddedChunks({ chunks, reused, seconds }) {
      embeddings.observe(seconds)
      embeddedChunks.inc({ reused: 'false' }, chunks - reused)
      embeddedChunks.inc({ reused: 'true' }, reused)
    },
    webhookAttempt: (outcome, seconds) => webhooks.observe({ outcome }, seconds),
    replicaRead: (server) => replicaReads.inc({ server }),
    databaseHold(seconds) {
      holds.observe(seconds)
      longestSeconds = Math.max(longestSeconds, seconds)
      longestHold.set(longestSeconds)
    },
    contentType: registry.contentType,
    describe: () => own.map((metric) => [metric.name, typeOf(metric), labelsOf(metric)]),
    async read() {
      await gauges.update()
      return registry.metrics()
    },
  }
}

const typeOf = (metric: object): string => (metric instanceof Histogram ? 'histogram' : metric instanceof Counter ? 'counter' : 'gauge')

/** Returns the labels of a metric, which the types of prom-client leave out. */
const labelsOf = (metric: object): string[] => (metric as { labelNames: string[] }).labelNames
