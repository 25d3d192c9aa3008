import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '../lib/errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { bearerToken } from './admit.ts'
import { commonHeaders } from './response-headers.ts'
import { createErrorHandler } from './errors.ts'
import { serveProbes, type ServedReadiness } from './serve-probes.ts'

export interface ServedMetrics {
  readonly metrics: Metrics
  /** Requests with this bearer token can read the metrics of all organizations. */
  readonly token: string
}

/** Serves GET /metrics in the Prometheus text format. */
export function serveMetrics(app: FastifyInstance, { metrics, token }: ServedMetrics): void {
  const expected = digest(token)
  app.get('/metrics', async (request, reply) => {
    if (!timingSafeEqual(digest(bearerToken(request) ?? ''), expected))
      throw new AppError('unauthorized', 'The metrics require the token that is set as METRICS_TOKEN.')
    return reply.type(metrics.contentType).send(await metrics.read())
  })
}

const digest = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Creates the HTTP server of a worker: probes and metrics. */
export function createMetricsApp(served: ServedMetrics, readiness: ServedReadiness, log: Logger): FastifyInstance {
  const logger: FastifyBaseLogger = log
  const app = fastify({ loggerInstance: logger, logController: new fastify.LogController({ disableRequestLogging: true }) })
  const sendError = createErrorHandler(({ id }) => commonHeaders(id))
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => sendError(new AppError('not_found', 'There is no such resource.'), request, reply))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.id))
  })
  serveProbes(app, readiness)
  serveMetrics(app, served)
  return app
}
