import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { setPriority, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pino, type Logger } from 'pino'
import type { Config } from './config.ts'
import type { Platform } from './platform.ts'
import { ownerQuery } from './db/owner-query.ts'
import { openStore } from './db/store.ts'
import { integrationEndpoints } from './integrations/integrations.ts'
import { eventFeed } from './events/feed.ts'
import { closeApp, createApp } from './http/app.ts'
import { builtDashboard } from './http/serve-dashboard.ts'
import { createMetricsApp, type ServedMetrics } from './http/serve-metrics.ts'
import { createIdentity } from './identity/identity.ts'
import { openIssuer, type Issuer } from './identity/oidc/issuer.ts'
import { recordAuthenticationEvent } from './identity/record-event.ts'
import { enqueueReset } from './identity/reset-mail.ts'
import { createSetupToken } from './setup/setup.ts'
import { openInstallation } from './installation/installation.ts'
import { openJobs } from './jobs/jobs.ts'
import { openBundledEmbedder } from './knowledge/embed/bundled.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import { createExtractor } from './knowledge/extract/extractor.ts'
import { createPreviewer } from './knowledge/preview/previewer.ts'
import { openRemoteEmbedder } from './knowledge/embed/remote.ts'
import { createRenderer, type Renderer } from './knowledge/render/renderer.ts'
import { openRemoteReranker } from './knowledge/rerank/remote.ts'
import type { Reranker } from './knowledge/rerank/reranker.ts'
import { createRetrievalLog } from './knowledge/retrievals/log.ts'
import { createSearchLatencies } from './knowledge/search/latency-estimates.ts'
import { searchIndexes } from './knowledge/index/search-indexes.ts'
import { sourceSubscribers } from './knowledge/subscriptions.ts'
import { createLoopRegistry } from './lib/loop-health.ts'
import { createAuthenticationThrottle } from './limits/authentication-throttle.ts'
import { createLimits } from './limits/limits.ts'
import { createMailer } from './mail/mailer.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import { createNotifications } from './db/notifications.ts'
import { queues } from './queues.ts'
import { createReadiness, type Readiness } from './readiness/readiness.ts'
import { moduleHandlers } from './modules.ts'
import { localStorage } from './storage/storage.ts'
import { authenticator, type Authenticate } from './tokens/authenticator.ts'
import { recordTokenUses } from './tokens/last-used.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { releaseClaimedDeliveries } from './webhooks/release.ts'
import { startWorker } from './worker.ts'

export interface Program {
  /** The URL it listens on; null for a worker without metrics. */
  readonly url: string | null
  /**
   * Shuts down in stages: releases running jobs at once, serves requests for DRAIN_SECONDS while `/readyz` answers 503, then
   * closes the server and everything it uses.
   */
  stop(): Promise<void>
}

const userAgent = 'Groundwork/0.1 (+knowledge base importer)'

/** Maximum connections to one origin. Many endpoints can share an origin, and none should wait for the connections of another. */
const webhookConnections = 256

/** The composition root: creates and connects all parts of the program. */
export async function createProgram(config: Config): Promise<Program> {
  // A worker runs below the priority of API processes. Its threads and child processes run lower still.
  if (config.ROLE === 'worker') setPriority(5)
  const log = pino({ level: config.LOG_LEVEL, base: null, timestamp: pino.stdTimeFunctions.isoTime })
  const dataDir = resolve(config.DATA_DIR)
  const outbound = createOutbound({ allowHosts: config.FETCH_ALLOW_HOSTS, userAgent })
  const renderer = config.ROLE === 'api' ? null : await openRenderer(config, outbound, log)
  const webhookOutbound = createOutbound({
    allowHosts: config.FETCH_ALLOW_HOSTS,
    userAgent: 'Groundwork/0.1 (webhooks)',
    connections: webhookConnections,
  })
  const embedderReady = openEmbedder(config, outbound, log)
  // Awaited below. Without a handler until then, Node would end the program without closing the store.
  embedderReady.catch(() => undefined)
  const store = await openStore({ dataDir, databaseUrl: config.DATABASE_URL, log })
  const storage = await localStorage(resolve(dataDir, 'files'))
  const secretKey = await openInstallation({ query: ownerQuery(store.database.pool), storage, dataDir, setting: config.SECRET_KEY }).catch(
    async (error: unknown) => {
      await store.close()
      throw error
    },
  )
  const onError = (error: Error): void => log.error({ err: error }, 'a job failed')
  const now = (): Date => new Date()
  const loops = createLoopRegistry({ log, now })
  const served =
    config.METRICS_TOKEN === undefined ? undefined : { token: config.METRICS_TOKEN, metrics: createMetrics(() => jobs.depths()) }
  const notifications = createNotifications(store.database.pool, loops.loop('notifications'))
  const jobs = await openJobs(store.database.pool, {
    queues,
    worker: config.ROLE === 'api' ? null : { notifications },
    onError,
    health: loops.loop('job queues'),
    onEnded: served?.metrics.job,
  })
  store.observeHolds?.(({ ms }) => served?.metrics.databaseHold(ms / 1000))
  const events = eventFeed(notifications)
  const embedder = await embedderReady
  const previewer = createPreviewer({ extractor: createExtractor({ workers: 1, log }), outbound })
  const tokenUses = recordTokenUses(store.database, { now, health: loops.loop('token use recorder') })
  const retrievals = createRetrievalLog(store.database, { jobs, log, now, health: loops.loop('retrieval log') })
  const authenticationThrottle = createAuthenticationThrottle(now)
  const { authenticate, invalidate } = authenticator(store.database, { now, throttle: authenticationThrottle, onUse: tokenUses.record })
  const indexes = searchIndexes({ maxBytes: (config.SEARCH_MEMORY_MB ?? quarterOfMemory()) * 2 ** 20 })
  const baseUrl = (config.BASE_URL ?? `http://${config.HOST}:${config.PORT}`).replace(/\/+$/, '')
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL,
    folder: resolve(dataDir, 'mail'),
    from: config.MAIL_FROM ?? `Groundwork <groundwork@${new URL(baseUrl).hostname}>`,
  })
  const readiness = createReadiness({
    loops,
    writeProbes: { database: () => store.probeWrite(), 'data folder': () => storage.probeWrite() },
    log,
    now,
  })
  const platform: Platform = {
    db: store.database,
    jobs,
    events,
    storage,
    embedder,
    indexes,
    sourceSubscribers,
    searchLatencies: createSearchLatencies(),
    reranker: openReranker(config, outbound),
    outbound,
    previewer,
    retrievals,
    log,
    baseUrl,
    corsOrigins: config.CORS_ORIGINS,
    youtubeUrl: config.YOUTUBE_URL,
    secretKey,
    authenticationThrottle,
    identity: createIdentity(store.database, {
      baseUrl,
      secretKey,
      mailer,
      issuer: openOidcIssuer(config, outbound, now),
      log,
      now,
      record: (event, origin) => recordAuthenticationEvent(platform, event, origin),
      enqueueReset: (resetId) => enqueueReset(platform, resetId),
    }),
    mailer,
    systemInfo: {
      version: '0.1.0',
      database: store.kind === 'embedded' ? 'embedded' : 'postgresql',
      embedder: config.EMBEDDINGS_URL === undefined ? 'bundled' : 'remote',
      reranker: config.RERANK_URL === undefined ? null : { model: config.RERANK_MODEL ?? null },
      oidc: config.OIDC_ISSUER !== undefined,
    },
    invalidateToken: invalidate,
    now,
  }
  const api =
    config.ROLE === 'worker'
      ? await startWorkerServer(config, log, readiness, served)
      : await startApi(config, platform, authenticate, readiness, served)
  if (config.ROLE !== 'api' && store.kind === 'embedded') {
    await jobs.releaseHeld()
    await releaseClaimedDeliveries(store.database.pool)
  }
  const worker = config.ROLE === 'api' ? null : startWorker(platform, { outbound, renderer })
  const dispatcher = config.ROLE === 'api' ? null : startDispatcher(platform, webhookOutbound, loops)
  const setupToken = config.ROLE === 'worker' ? null : await createSetupToken(store.database.pool, now())
  if (setupToken !== null) printSetupUrl(`${config.BASE_URL === undefined ? api?.url : baseUrl}/app/setup#${setupToken}`)
  log.info({ role: config.ROLE, url: api?.url, database: store.kind, embedder: embedder.model }, 'Groundwork is ready')
  return {
    url: api?.url ?? null,
    async stop() {
      const drainSeconds = config.ROLE === 'worker' ? 0 : config.DRAIN_SECONDS
      log.info({ drainSeconds }, 'shutting down')
      readiness.startDraining()
      const workEnded = Promise.all([dispatcher?.stop(), jobs.stopWork()])
      await setTimeout(drainSeconds * 1000)
      await api?.close()
      await workEnded
      await previewer.close()
      await tokenUses.close()
      await retrievals.close()
      await indexes.close()
      await jobs.stop()
      notifications.close()
      mailer.close()
      await worker?.close()
      await renderer?.close()
      await embedder.close()
      await outbound.close()
      await webhookOutbound.close()
      await store.close()
      log.info('stopped')
    },
  }
}

/** Writes to stderr, not to the log: log storage has other readers, and this link creates the first user. */
function printSetupUrl(url: string): void {
  process.stderr.write(`\nThere are no users yet. Open this link to create the first one:\n\n  ${url}\n\n`)
}

/** Returns a quarter of the memory of the machine or the container, in MB. */
function quarterOfMemory(): number {
  return Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / 4 / 2 ** 20)
}

/** @throws Error that names CHROMIUM_PATH if the file is not executable */
async function openRenderer({ CHROMIUM_PATH: executablePath }: Config, outbound: Outbound, log: Logger): Promise<Renderer | null> {
  if (executablePath === undefined) return null
  await access(executablePath, constants.X_OK).catch(() => {
    throw new Error(`CHROMIUM_PATH: ${executablePath} does not exist or is not executable.`)
  })
  return createRenderer({ executablePath, userAgent, outbound, log })
}

function openEmbedder(config: Config, outbound: Outbound, log: Logger): Promise<Embedder> {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions, EMBEDDINGS_API_KEY: apiKey } = config
  if (url === undefined || model === undefined || dimensions === undefined) return openBundledEmbedder({ log })
  return Promise.resolve(
    openRemoteEmbedder({ url, model, dimensions, ...(apiKey !== undefined && { apiKey }), fetch: outbound.trustedFetch(url) }),
  )
}

function openReranker({ RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey }: Config, outbound: Outbound): Reranker | null {
  if (url === undefined) return null
  const fetch = outbound.trustedFetch(url)
  return openRemoteReranker({ url, fetch, ...(model !== undefined && { model }), ...(apiKey !== undefined && { apiKey }) })
}

function openOidcIssuer(config: Config, outbound: Outbound, now: () => Date): Issuer | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null
  return openIssuer({ issuer, clientId, clientSecret }, { outbound, now })
}

async function startApi(
  config: Config,
  platform: Platform,
  authenticate: Authenticate,
  readiness: Readiness,
  metrics: ServedMetrics | undefined,
): Promise<Listening> {
  const app = await createApp({
    platform,
    authenticate,
    limits: createLimits(platform.db, {
      perToken: config.RATE_LIMIT_PER_TOKEN,
      perOrganization: config.RATE_LIMIT_PER_ORGANIZATION,
      now: platform.now,
      onError: (error) => platform.log.warn({ err: error }, 'rate limit claim failed; requests pass uncounted'),
    }),
    handlers: moduleHandlers,
    integrations: integrationEndpoints,
    readiness,
    metrics,
    dashboard: builtDashboard(),
    proxies: config.TRUSTED_PROXIES,
  })
  return listen(app, config)
}

/** A worker listens only if METRICS_TOKEN is set. It serves metrics and probes. */
async function startWorkerServer(
  config: Config,
  log: Logger,
  readiness: Readiness,
  metrics: ServedMetrics | undefined,
): Promise<Listening | null> {
  return metrics === undefined ? null : listen(createMetricsApp(metrics, readiness, log), config)
}

interface Listening {
  readonly url: string
  close(): Promise<void>
}

async function listen(app: Parameters<typeof closeApp>[0], config: Config): Promise<Listening> {
  await app.listen({ host: config.HOST, port: config.PORT })
  const { address, family, port } = app.server.address() as AddressInfo
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`, close: () => closeApp(app) }
}
