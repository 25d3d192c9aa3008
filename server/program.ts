import type { AddressInfo } from 'node:net'
import { availableParallelism, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import { backupWarnings } from './backup/backup-folder.ts'
import { startScheduledBackups } from './backup/scheduled-backups.ts'
import { baseUrlOf, defaultQuotasOf, sessionDatabaseUrl, type Config } from './config.ts'
import {
  embedderKind,
  formerModelOpener,
  oidcSettings,
  openEmbedder,
  openRenderer,
  openChatModel,
  openReranker,
  quarterOfMemory,
  userAgent,
} from './configured.ts'
import { awsCredentials, backupPlace, indexFilesOf, openProgramStorage, programStorage, storageSettings } from './configured-storage.ts'
import { ownerQuery } from './db/owner-query.ts'
import { activateEngine } from './knowledge/engine/activate.ts'
import { startEngineFeed } from './knowledge/engine/feed.ts'
import { openSearchClient } from './knowledge/engine/opensearch.ts'
import { createSearchEngine } from './knowledge/engine/search-engine.ts'
import { startDuplicateFinder } from './duplicates/finder.ts'
import { openStore } from './db/store.ts'
import { integrationEndpoints } from './integrations/integrations.ts'
import { closeApp, createApp } from './http/app.ts'
import { builtDashboard } from './http/serve-dashboard.ts'
import { createMetricsApp, type ServedMetrics } from './http/serve-metrics.ts'
import { createSetupToken } from './setup/setup.ts'
import { openInstallation } from './installation/installation.ts'
import { followModel, loadModels } from './knowledge/reindex/follow-model.ts'
import { createLoopRegistry } from './lib/loop-health.ts'
import { createLog } from './lib/log.ts'
import { createMetrics } from './metrics/metrics.ts'
import { diskSpace } from './lib/disk-space.ts'
import { newestBackup, poolUse } from './metrics/sources.ts'
import { createOutbound } from './outbound/outbound.ts'
import { readPdfSigner } from './pdf/configured-signer.ts'
import { startContractRetention } from './proposals/contract-retention.ts'
import { storeDefaultQuotas } from './quotas/default-quotas.ts'
import { createReadiness, type Readiness } from './readiness/readiness.ts'
import type { PlatformContext } from './platform.ts'
import { moduleHandlers } from './modules.ts'
import { createServices, type Services } from './services.ts'
import { webhookBacklog } from './webhooks/backlog.ts'
import { openTracing } from './tracing/tracing.ts'
import { startDispatcher } from './webhooks/dispatcher.ts'
import { releaseClaimedDeliveries } from './webhooks/release.ts'
import { version } from './version.ts'

export interface Program {
  /** The URL it listens on; null for a worker without metrics. */
  readonly url: string | null
  /**
   * Shuts down in stages: releases running jobs at once, serves requests for DRAIN_SECONDS while `/readyz` answers 503, then
   * closes the server and everything it uses.
   */
  stop(): Promise<void>
}

/** Maximum connections to one origin. Many endpoints can share an origin, and none should wait for the connections of another. */
const webhookConnections = 256

/** Opens the parts of the program from the configuration, connects its services, and serves requests and jobs. */
export async function createProgram(config: Config): Promise<Program> {
  // A worker runs below the priority of API processes. Its threads and child processes run lower still.
  if (config.ROLE === 'worker') setPriority(5)
  const log = createLog(config.LOG_LEVEL)
  const dataDir = resolve(config.DATA_DIR)
  const tracing =
    config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? null
      : await openTracing({
          endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: config.OTEL_SERVICE_NAME,
          serviceVersion: version,
          log,
        })
  const outbound = createOutbound({ allowHosts: config.FETCH_ALLOW_HOSTS, userAgent })
  const renderer = config.ROLE === 'api' ? null : await openRenderer(config, outbound, log)
  const webhookOutbound = createOutbound({
    allowHosts: config.FETCH_ALLOW_HOSTS,
    userAgent: 'Groundwork/0.1 (webhooks)',
    connections: webhookConnections,
    sendsTraceparent: true,
  })
  const pdfSigner =
    config.PDF_SIGNING_P12 === undefined ? null : await readPdfSigner(config.PDF_SIGNING_P12, config.PDF_SIGNING_P12_PASSWORD ?? '')
  const embedderReady = openEmbedder(config, outbound, log)
  // Awaited below. Without a handler until then, Node would end the program without closing the store.
  embedderReady.catch(() => undefined)
  const rerankerReady = openReranker(config, outbound, log)
  rerankerReady.catch(() => undefined)
  const store = await openStore({
    dataDir,
    databaseUrl: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    replicaUrl: config.ROLE === 'worker' ? undefined : config.DATABASE_REPLICA_URL,
    onRead: (source) => served?.metrics.replicaRead(source),
    connections: config.DATABASE_POOL_SIZE,
    log,
  })
  const closeStore = async (error: unknown): Promise<never> => {
    await store.close()
    throw error
  }
  const storage = await openProgramStorage(programStorage(config), outbound).catch(closeStore)
  const secretKey = await openInstallation({
    query: ownerQuery(store.database.pool),
    storage,
    dataDir,
    setting: config.SECRET_KEY,
    previous: config.SECRET_KEY_PREVIOUS,
  }).catch(closeStore)
  const now = (): Date => new Date()
  const loops = createLoopRegistry({ log, now })
  const served =
    config.METRICS_TOKEN === undefined
      ? undefined
      : {
          token: config.METRICS_TOKEN,
          metrics: createMetrics({
            queues: () => services.jobs.depths(),
            webhooks: () => webhookBacklog(ownerQuery(store.database.pool)),
            connections: () => poolUse(store.database.pool),
            indexes: () => services.platform.indexes.memory(),
            disk: () => diskSpace(dataDir),
            ...(config.BACKUP_TO !== undefined && {
              backups: newestBackup(backupPlace(config, config.BACKUP_TO), config.BACKUP_EVERY, now),
            }),
          }),
        }
  store.observeHolds?.(({ ms }) => served?.metrics.databaseHold(ms / 1000))
  const baseUrl = baseUrlOf(config)
  const [embedder, reranker] = await Promise.all([embedderReady, rerankerReady]).catch(closeStore)
  const chatModel = openChatModel(config, outbound)
  const engineTarget =
    config.SEARCH_URL === undefined ? null : { client: openSearchClient(config.SEARCH_URL, outbound), settings: config.SEARCH_URL }
  const services = await createServices({
    database: store.database,
    storage,
    embedder,
    openFormerModel: formerModelOpener(config, log),
    reranker,
    chatModel,
    outbound,
    log,
    loops,
    now,
    runsJobs: config.ROLE !== 'api',
    measurements: served?.metrics,
    onJobEnded: served?.metrics.job,
    baseUrl,
    corsOrigins: config.CORS_ORIGINS,
    youtubeUrl: config.YOUTUBE_URL,
    secretKey,
    mail: {
      smtpUrl: config.SMTP_URL,
      folder: resolve(dataDir, 'mail'),
      from: config.MAIL_FROM ?? `Groundwork <groundwork@${new URL(baseUrl).hostname}>`,
    },
    oidc: oidcSettings(config),
    pdfSigner,
    ocr: { pages: config.OCR_MAX_PAGES, megapixels: config.OCR_MAX_MEGAPIXELS },
    retentionDays: { events: config.RETAIN_EVENTS_DAYS, audit: config.RETAIN_AUDIT_DAYS, retrievals: config.RETAIN_RETRIEVALS_DAYS },
    contractYears: config.RETAIN_CONTRACTS_YEARS ?? null,
    searchEngine: engineTarget === null ? null : createSearchEngine(engineTarget),
    searchMemoryBytes: (config.SEARCH_MEMORY_MB ?? quarterOfMemory()) * 2 ** 20,
    searchThreads: config.ROLE === 'worker' ? 0 : (config.SEARCH_THREADS ?? defaultSearchThreads()),
    indexFiles: config.ROLE === 'worker' ? null : indexFilesOf(config),
    rateLimits: { perToken: config.RATE_LIMIT_PER_TOKEN, perOrganization: config.RATE_LIMIT_PER_ORGANIZATION },
    systemInfo: {
      version,
      database: store.kind === 'embedded' ? 'embedded' : 'postgresql',
      storage: storageSettings(config).kind === 's3' ? 's3' : 'local',
      embedder: embedderKind(config),
      chat: chatModel === null ? null : { model: chatModel.model },
      reranker: reranker === null ? null : { model: reranker.model ?? null },
      oidc: config.OIDC_ISSUER !== undefined,
    },
    backupWarning:
      config.BACKUP_TO === undefined
        ? async () => null
        : backupWarnings(backupPlace(config, config.BACKUP_TO), {
            everyMs: config.BACKUP_EVERY,
            now,
            onError: (error) => log.error({ err: error }, 'the place for backups cannot be read'),
          }),
  })
  const { jobs, platform } = services
  const readiness = createReadiness({
    loops,
    writeProbes: {
      database: () => store.probeWrite(),
      [storage.setting === 'DATA_DIR' ? 'data folder' : 'storage']: () => storage.probeWrite(),
    },
    log,
    now,
  })
  await storeDefaultQuotas(ownerQuery(store.database.pool), defaultQuotasOf(config))
  if (engineTarget !== null) await activateEngine(ownerQuery(store.database.pool), engineTarget)
  if (config.ROLE !== 'worker') await loadModels(ownerQuery(store.database.pool), platform).catch(closeStore)
  const api =
    config.ROLE === 'worker' ? await startWorkerServer(config, log, readiness, served) : await startApi(config, services, readiness, served)
  if (config.ROLE !== 'api' && store.kind === 'embedded') {
    await jobs.releaseHeld()
    await releaseClaimedDeliveries(store.database.pool)
  }
  if (config.ROLE !== 'api') {
    services.startWorker(renderer)
    const context = (organizationId: string): PlatformContext => ({ ...platform, organizationId })
    const stale = await followModel(context, ownerQuery(store.database.pool), embedder.model)
    if (stale > 0)
      log.info({ knowledgeBases: stale, embedder: embedder.model }, 'knowledge bases of another embedding model are re-indexed')
  }
  const backups =
    config.ROLE === 'api' || config.BACKUP_TO === undefined
      ? null
      : startScheduledBackups({
          place: backupPlace(config, config.BACKUP_TO),
          everyMs: config.BACKUP_EVERY,
          keep: config.BACKUP_KEEP,
          source: {
            to: config.BACKUP_TO,
            credentials: awsCredentials(config),
            dataDir,
            databaseUrl: sessionDatabaseUrl(config),
            storage: programStorage(config),
            programVersion: version,
            seal: config.BACKUP_KEY_FILE === undefined ? null : { keyFile: resolve(config.BACKUP_KEY_FILE), setting: config.SECRET_KEY },
          },
          log,
          now,
        })
  const dispatcher = config.ROLE === 'api' ? null : startDispatcher(platform, webhookOutbound, loops)
  const duplicateFinder =
    config.ROLE === 'api' ? null : startDuplicateFinder(platform, { loops, share: store.kind === 'embedded' ? 0.1 : 1 })
  const engineFeed = config.ROLE === 'api' || engineTarget === null ? null : startEngineFeed(platform, engineTarget, { loops })
  const contractRetention = config.ROLE === 'api' ? null : startContractRetention(platform, ownerQuery(store.database.pool), loops)
  const setupToken = config.ROLE === 'worker' ? null : await createSetupToken(store.database.pool, now())
  if (setupToken !== null) printSetupUrl(`${config.BASE_URL === undefined ? api?.url : baseUrl}/app/setup#${setupToken}`)
  log.info({ role: config.ROLE, url: api?.url, database: store.kind, embedder: platform.embedder.model }, 'Groundwork is ready')
  return {
    url: api?.url ?? null,
    async stop() {
      const drainSeconds = config.ROLE === 'worker' ? 0 : config.DRAIN_SECONDS
      log.info({ drainSeconds }, 'shutting down')
      readiness.startDraining()
      const workEnded = Promise.all([
        dispatcher?.stop(),
        duplicateFinder?.stop(),
        engineFeed?.stop(),
        contractRetention?.stop(),
        backups?.stop(),
        jobs.stopWork(),
      ])
      await setTimeout(drainSeconds * 1000)
      await api?.close()
      await workEnded
      await services.close()
      await renderer?.close()
      await platform.embedder.close()
      await platform.reranker?.close?.()
      await outbound.close()
      await webhookOutbound.close()
      await store.close()
      await tracing?.close()
      log.info('stopped')
    },
  }
}

/** Writes to stderr, not to the log: log storage has other readers, and this link creates the first user. */
function printSetupUrl(url: string): void {
  process.stderr.write(`\nThere are no users yet. Open this link to create the first one:\n\n  ${url}\n\n`)
}

async function startApi(
  config: Config,
  { platform, authenticate, authenticatePublishable, limits }: Services,
  readiness: Readiness,
  metrics: ServedMetrics | undefined,
): Promise<Listening> {
  const app = await createApp({
    platform,
    authenticate,
    authenticatePublishable,
    limits,
    handlers: moduleHandlers,
    integrations: integrationEndpoints,
    readiness,
    metrics,
    dashboard: builtDashboard(),
    proxies: config.TRUSTED_PROXIES,
    logRequests: config.LOG_REQUESTS,
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

/** Leaves one core to the thread that serves HTTP: with as many threads as cores, other requests wait for searches, which are no faster. */
const defaultSearchThreads = (): number => Math.max(1, Math.min(availableParallelism() - 1, 4))
