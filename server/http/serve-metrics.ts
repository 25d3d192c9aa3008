import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../lib/errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { bearerOf } from './admit.ts'
import { everyAnswer } from './answer-headers.ts'
import { errorAnswerer } from './errors.ts'
import { serveProbes, type ServedReadiness } from './serve-probes.ts'

export interface ServedMetrics {
  readonly metrics: Metrics
  /** Who presents it may read them. It is the operator's: they tell of all organizations together. */
  readonly token: string
}

/** GET /metrics, in Prometheus' text format. */
export function serveMetrics(app: FastifyInstance, { metrics, token }: ServedMetrics): void {
  const expected = digest(token)
  app.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digest(bearerOf(request) ?? ''), expected))
      throw new AppError('unauthorized', 'the metrics need the token METRICS_TOKEN')
    return reply.type(metrics.contentType).send(await metrics.read())
  })
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** The HTTP server of a worker: its probes and its metrics. */
export function createMetricsApp(served: ServedMetrics, readiness: ServedReadiness, log: Logger): FastifyInstance {
  const logger: FastifyBaseLogger = log
  const app = fastify({ loggerInstance: logger, logController: new fastify.LogController({ disableRequestLogging: true }) })
  const answerError = errorAnswerer(({ id }) => everyAnswer(id))
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(new AppError('not_found', 'there is nothing here'), request, reply))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(everyAnswer(request.id))
  })
  serveProbes(app, readiness)
  serveMetrics(app, served)
  return app
}
