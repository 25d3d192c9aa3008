import { api } from '@groundwork/api'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { SessionContext } from '../identity/context.ts'
import type { Platform, PlatformContext } from '../platform.ts'
import type { IntegrationEndpoint } from '../integrations/integration.ts'
import type { Handlers } from '../handlers.ts'
import { noProxies, type TrustedProxies } from '../lib/trusted-proxies.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate, AuthenticatePublishable } from '../tokens/authenticator.ts'
import { unknownRouteHandler, trackRoutes } from './allowed-methods.ts'
import { serveDocs } from './docs.ts'
import { createResponseHeaders } from './response-headers.ts'
import type { Principal } from './admit.ts'
import { clientOf, type Client } from './client.ts'
import { serveCors } from './cors.ts'
import { createErrorHandler } from './errors.ts'
import { acceptJsonBodies } from './json-body.ts'
import { LazyLogger } from './lazy-logger.ts'
import { isLogged, type LoggedRequests } from '../lib/logged-requests.ts'
import { newId } from '../lib/ids.ts'
import { handleClientError } from './client-error.ts'
import { mountAuth } from './mount-auth.ts'
import { mountIntegrations } from './mount-integrations.ts'
import { mount } from './mount.ts'
import { serveDashboard } from './serve-dashboard.ts'
import { serveGuides } from './serve-guides.ts'
import { serveSigningKeys } from './serve-signing-keys.ts'
import { serveVerifyPage } from './serve-verify-page.ts'
import { defaultPageLimits, serveProposalPages, type ProposalPageLimits } from './serve-proposal-pages.ts'
import { serveWidget } from './serve-widget.ts'
import { serveProbes, type ServedReadiness } from './serve-probes.ts'
import { serveMetrics, type ServedMetrics } from './serve-metrics.ts'
import { traceRequests } from './trace-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ctx: PlatformContext | undefined
    /** Set on routes that require an organization, also if the request is refused. */
    principal: Principal | undefined
    /** Set on routes that require a session and no organization. */
    sessionContext: SessionContext | undefined
    /** The unparsed JSON body. */
    rawBody: Buffer | undefined
    readonly client: Client
  }
}

export interface AppOptions {
  platform: Platform
  authenticate: Authenticate
  /** Without it, the search widget is not served. */
  authenticatePublishable?: AuthenticatePublishable
  limits?: Limits
  handlers: Handlers<typeof api, Platform>
  integrations?: readonly IntegrationEndpoint[]
  readiness?: ServedReadiness
  metrics?: ServedMetrics | undefined
  /** Folder of the built dashboard. Without it, the dashboard is not served. */
  dashboard?: string
  /** Limits of the public pages of proposals. */
  pageLimits?: ProposalPageLimits
  /** Proxies whose forwarding headers are trusted; none by default. */
  proxies?: TrustedProxies
  /** All by default. */
  logRequests?: LoggedRequests
}

const unlimited: Limits = { policy: null, take: () => ({ refusedBy: null, state: '', resetSeconds: 0 }) }

const alwaysReady: ServedReadiness = { reasons: async () => [], isDraining: () => false }

/** Maximum size of a JSON body in bytes. */
const bodyLimit = 1_000_000

export async function createApp({
  platform,
  authenticate,
  authenticatePublishable,
  limits = unlimited,
  handlers,
  integrations = [],
  readiness = alwaysReady,
  metrics,
  dashboard,
  pageLimits = defaultPageLimits,
  proxies = noProxies,
  logRequests = 'all',
}: AppOptions): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = platform.log
  const responseHeaders = createResponseHeaders(platform, proxies)
  const sendError = createErrorHandler(responseHeaders)
  const app = fastify({
    loggerInstance: logger,
    logController: new fastify.LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    childLoggerFactory: (_logger, bindings) => new LazyLogger(platform.log, bindings),
    genReqId: () => `req_${newId()}`,
    bodyLimit,
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    // Equals Node's limit for the request line, so an overlong id is answered like one that does not exist.
    routerOptions: { maxParamLength: 16_384, querystringParser },
    clientErrorHandler: handleClientError,
    frameworkErrors: sendError,
  })
  app.decorateRequest('ctx', undefined)
  app.decorateRequest('principal', undefined)
  app.decorateRequest('sessionContext', undefined)
  app.decorateRequest('rawBody', undefined)
  const clients = new WeakMap<FastifyRequest['raw'], Client>()
  app.decorateRequest('client', {
    getter() {
      const client = clients.get(this.raw) ?? clientOf(this.raw, proxies)
      clients.set(this.raw, client)
      return client
    },
  })
  traceRequests(app)
  acceptJsonBodies(app)
  app.setErrorHandler(sendError)
  const handleUnknownRoute = unknownRouteHandler(trackRoutes(app), sendError)
  app.setNotFoundHandler(handleUnknownRoute)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(responseHeaders(request))
  })
  serveCors(app, platform.corsOrigins)
  // Runs before the body is read, since it is not needed.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? handleUnknownRoute(request, reply) : undefined))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, principal } = request
    if (principal !== undefined) {
      const { elapsedTime: durationMs, statusCode: status } = reply
      const params = request.params as Record<string, string>
      platform.requestLog.record({ ...principal, method, route: routeOptions.url ?? '', params, status, durationMs })
    }
    metrics?.metrics.request({ method, route: routeOptions.url, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    if (!platform.log.isLevelEnabled('info') || !isLogged(logRequests, reply.statusCode)) return
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
  serveGuides(app)
  serveSigningKeys(app, platform)
  if (dashboard !== undefined) {
    await serveDashboard(app, dashboard, platform.storage.incoming.directOrigin)
    await serveVerifyPage(app, dashboard, platform)
  }
  mount(app, api, handlers, platform, authenticate, limits)
  mountAuth(app, platform)
  await serveProposalPages(app, platform, pageLimits)
  if (authenticatePublishable !== undefined) await serveWidget(app, { platform, authenticate: authenticatePublishable, limits })
  mountIntegrations(app, integrations, { platform, authenticate, limits, responseHeaders })
  return app
}

/** Parses repeated parameters into an array and interprets nothing else. The null prototype rules out prototype pollution. */
function querystringParser(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    query[name] = before === undefined ? value : [before, value].flat()
  }
  return query
}

/** Maximum time for requests and streams to end. It leaves part of the shutdown limit for the services they use. */
const closeGraceMs = 5000

/**
 * Closes the server and waits for requests to end. Connections that never sent a request do not count as idle, so they are
 * closed by force after a grace period.
 */
export async function closeApp(app: FastifyInstance): Promise<void> {
  const force = setTimeout(() => app.server.closeAllConnections(), closeGraceMs)
  await app.close()
  clearTimeout(force)
}
