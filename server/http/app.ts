import { api } from '@groundwork/api'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { randomUUID } from 'node:crypto'
import type { Context, Platform, SessionContext } from '../context.ts'
import type { IntegrationEndpoint } from '../integrations/integration.ts'
import type { Handlers } from '../handlers.ts'
import { noProxies, type TrustedProxies } from '../lib/trusted-proxies.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { answerUnknown, knownPaths } from './allowed-methods.ts'
import { serveDocs } from './docs.ts'
import { answerHeaders } from './answer-headers.ts'
import { clientOf, type Client } from './client.ts'
import { serveCors } from './cors.ts'
import { errorAnswerer } from './errors.ts'
import { acceptJsonBodies } from './json-body.ts'
import { LazyLogger } from './lazy-logger.ts'
import { answerMalformed } from './malformed.ts'
import { mountAuth } from './mount-auth.ts'
import { mountIntegrations } from './mount-integrations.ts'
import { mount } from './mount.ts'
import { serveDashboard } from './serve-dashboard.ts'
import { serveProbes, type ServedReadiness } from './serve-probes.ts'
import { serveMetrics, type ServedMetrics } from './serve-metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Context | undefined
    /** Of a route that wants a session and no organization. */
    signedIn: SessionContext | undefined
    /** The JSON body as it came. */
    bytes: Buffer | undefined
    readonly client: Client
  }
}

export interface AppOptions {
  platform: Platform
  authenticate: Authenticate
  /** None by default. */
  limits?: Limits
  handlers: Handlers<typeof api>
  /** None by default. */
  doors?: readonly IntegrationEndpoint[]
  /** Always ready by default. */
  readiness?: ServedReadiness
  /** Counted and served; none by default. */
  metrics?: ServedMetrics | undefined
  /** The folder of the built dashboard; not served by default. */
  dashboard?: string
  /** Proxies whose forwarding headers count; none by default. */
  proxies?: TrustedProxies
}

const unlimited: Limits = { policy: null, take: () => ({ refusedBy: null, state: '', resetSeconds: 0 }) }

const alwaysReady: ServedReadiness = { reasons: async () => [], isDraining: () => false }

/** Bytes of a JSON body at most. */
const bodyLimit = 1_000_000

export async function createApp({
  platform,
  authenticate,
  limits = unlimited,
  handlers,
  doors = [],
  readiness = alwaysReady,
  metrics,
  dashboard,
  proxies = noProxies,
}: AppOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = platform.log
  const headersOf = answerHeaders(platform, proxies)
  const answerError = errorAnswerer(headersOf)
  const app = fastify({
    loggerInstance: logger,
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    childLoggerFactory: (_logger, bindings) => new LazyLogger(platform.log, bindings),
    genReqId: () => `req_${randomUUID()}`,
    bodyLimit,
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    // As long as Node lets a request line be: an id of any length is no more than one that does not exist.
    routerOptions: { maxParamLength: 16_384, querystringParser },
    clientErrorHandler: answerMalformed,
    frameworkErrors: answerError,
  })
  app.decorateRequest('ctx', undefined)
  app.decorateRequest('signedIn', undefined)
  app.decorateRequest('bytes', undefined)
  app.decorateRequest('client', {
    getter() {
      return clientOf(this.raw, proxies)
    },
  })
  acceptJsonBodies(app)
  app.setErrorHandler(answerError)
  const unknown = answerUnknown(knownPaths(app), answerError)
  app.setNotFoundHandler(unknown)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request))
  })
  serveCors(app, platform.corsOrigins)
  // Before the body is read, of which nothing is wanted.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? unknown(request, reply) : undefined))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    metrics?.metrics.request({ method, route: routeOptions.url, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    if (!platform.log.isLevelEnabled('info')) return
    const line = {
      method,
      path: routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    request.log.info(line, 'request')
  })
  serveProbes(app, readiness)
  if (metrics !== undefined) serveMetrics(app, metrics)
  await serveDocs(app)
  if (dashboard !== undefined) await serveDashboard(app, dashboard)
  mount(app, api, handlers, platform, authenticate, limits)
  mountAuth(app, platform)
  mountIntegrations(app, doors, { platform, authenticate, limits, headersOf })
  return app
}

/** Repeated parameters become an array; nothing else is interpreted, and no name can reach a prototype. */
function querystringParser(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

/** Longest time that requests get to end, streams included: what they use needs some of the shutdown limit too. */
const closeGraceMs = 5000

/** Waits for requests to end. A connection without any request does not count as idle and would never end by itself. */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const force = setTimeout(() => app.server.closeAllConnections(), closeGraceMs)
  await app.close()
  clearTimeout(force)
}
