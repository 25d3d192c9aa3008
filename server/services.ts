import type { BackupWarning } from './backup/backup-folder.ts'
import type { Logger } from 'pino'
import type { Database } from './db/database.ts'
import { createNotifications } from './db/notifications.ts'
import { eventFeed } from './events/feed.ts'
import { createIdentity } from './identity/identity.ts'
import { openIssuer, type OidcSettings } from './identity/oidc/issuer.ts'
import { recordAuthenticationEvent } from './identity/record-event.ts'
import { enqueueReset } from './identity/reset-mail.ts'
import { openJobs, type JobOutcome, type Jobs } from './jobs/jobs.ts'
import type { ChatModel } from './knowledge/answers/chat-model.ts'
import type { Embedder } from './knowledge/embed/embedder.ts'
import { createFormerModels } from './knowledge/embed/former/former-models.ts'
import { createExtractor } from './knowledge/extract/extractor.ts'
import type { SecretKeys } from './lib/secrets.ts'
import type { OcrLimits } from './knowledge/extract/ocr-limits.ts'
import { createPreviewer } from './knowledge/preview/previewer.ts'
import type { Renderer } from './knowledge/render/renderer.ts'
import type { Reranker } from './knowledge/rerank/reranker.ts'
import { erasableSearches } from './knowledge/retrievals/erase.ts'
import { createRetrievalLog } from './knowledge/retrievals/log.ts'
import { createSearchLatencies } from './knowledge/search/latency-budget.ts'
import type { SearchEngine } from './knowledge/engine/search-engine.ts'
import { createIndexCopies, withCopies } from './knowledge/index/index-copies.ts'
import { createIndexFiles } from './knowledge/index/index-files.ts'
import { searchIndexes } from './knowledge/index/search-indexes.ts'
import { searchThreads } from './knowledge/index/search-threads.ts'
import { settleUpload } from './knowledge/uploads/settle.ts'
import { requireUpload, takeUpload } from './knowledge/uploads/uploads.ts'
import { sourceSubscribers } from './knowledge/subscriptions.ts'
import { defaultRetentionDays, type RetentionDays } from './lib/retention-days.ts'
import type { LoopRegistry } from './lib/loop-health.ts'
import { noMeasurements, type Measurements } from './lib/measurements.ts'
import { createAuthenticationThrottle } from './limits/authentication-throttle.ts'
import { createLimits, type Limits } from './limits/limits.ts'
import { createMailer, type MailerOptions } from './mail/mailer.ts'
import type { Outbound } from './outbound/outbound.ts'
import { createPdfRenderer } from './pdf/renderer.ts'
import type { PdfSigner } from './pdf/signer.ts'
import type { Platform, PlatformContext } from './platform.ts'
import { createProposalLinks } from './proposals/links.ts'
import { jobNames, queues } from './queues.ts'
import { attachmentsOf } from './proposals/mail/attachments.ts'
import { reportFailedDelivery } from './proposals/mail/delivery-failed.ts'
import { createRequestLog } from './requests/log.ts'
import type { Storage } from './storage/storage.ts'
import type { SystemInfo } from './system/system.ts'
import { authenticator, type Authenticate, type AuthenticatePublishable } from './tokens/authenticator.ts'
import { recordTokenUses } from './tokens/last-used.ts'
import { startWorker } from './worker.ts'

/** The parts that the program opens from its configuration and that a test replaces, and the settings of the services. */
export interface ServiceOptions {
  readonly database: Database
  readonly storage: Storage
  readonly embedder: Embedder
  /** Opens an embedding model that was used before, see `FormerModels`; by default none is available. */
  readonly openFormerModel?: (model: string) => Promise<Embedder | null>
  /** Null if no reranker is configured. */
  readonly reranker: Reranker | null
  /** Null if no chat model is configured; the default. */
  readonly chatModel?: ChatModel | null
  readonly outbound: Outbound
  /** Fetches the documents of previews; `outbound` by default. */
  readonly previewOutbound?: Pick<Outbound, 'fetch'>
  readonly log: Logger
  readonly loops: LoopRegistry
  readonly now: () => Date
  /** Whether this process runs jobs. */
  readonly runsJobs: boolean
  /** Nothing is measured by default. */
  readonly measurements?: Measurements | undefined
  readonly onJobEnded?: ((queue: string, outcome: JobOutcome) => void) | undefined
  /** Whether the logs of searches and requests and the last use of tokens are written at intervals; otherwise only when they are closed. */
  readonly writesLogs?: boolean
  readonly baseUrl: string
  readonly corsOrigins: readonly string[]
  readonly youtubeUrl: string
  readonly secretKey: SecretKeys
  readonly mail: MailerOptions
  /** Null for the signer of the installation. */
  readonly pdfSigner: PdfSigner | null
  /** Null if no identity provider is configured. */
  readonly oidc: OidcSettings | null
  /** `defaultOcrLimits` by default. */
  readonly ocr?: OcrLimits
  /** `defaultRetentionDays` by default. */
  readonly retentionDays?: RetentionDays
  /** Years for which accepted proposals of erased contacts are kept; null for no end, the default. */
  readonly contractYears?: number | null
  /** Null if no search engine is configured; the default. */
  readonly searchEngine?: SearchEngine | null
  /** Maximum memory of all search indexes, in bytes. */
  readonly searchMemoryBytes: number
  /** Maximum number of threads that search large knowledge bases; 0, the default, searches in the thread of the caller. */
  readonly searchThreads?: number
  /** The folder of index files and its maximum size; without one, indexes are in memory only. */
  readonly indexFiles?: { readonly folder: string; readonly maxBytes: number } | null
  /** Requests per minute. */
  readonly rateLimits: { readonly perToken: number; readonly perOrganization: number }
  readonly systemInfo: SystemInfo
  readonly backupWarning: () => Promise<BackupWarning | null>
}

export interface Services {
  readonly platform: Platform
  readonly jobs: Jobs
  readonly authenticate: Authenticate
  readonly authenticatePublishable: AuthenticatePublishable
  readonly limits: Limits
  /** Starts the workers of all queues. */
  startWorker(renderer: Renderer | null): void
  /** Closes the services, and none of the parts in `ServiceOptions`. */
  close(): Promise<void>
}

/** Creates and connects the services of all modules, for the program and for tests. */
export async function createServices(options: ServiceOptions): Promise<Services> {
  const { database, outbound, log, loops, now, baseUrl, secretKey, writesLogs = true, retentionDays = defaultRetentionDays } = options
  // oxlint-disable-next-line no-restricted-properties -- the queues have their own tables, and notifications no organization
  const { pool, sessionPool } = database
  const notifications = createNotifications(sessionPool, loops.loop('notifications'))
  const jobs = await openJobs(pool, {
    queues,
    names: jobNames,
    worker: options.runsJobs ? { notifications } : null,
    onError: (error) => log.error({ err: error }, 'a job failed'),
    health: loops.loop('job queues'),
    onEnded: options.onJobEnded,
  })
  const interval = writesLogs ? {} : { intervalMs: null }
  const tokenUses = recordTokenUses(database, { now, health: loops.loop('token use recorder'), ...interval })
  const retrievals = createRetrievalLog(database, { jobs, retentionDays, log, now, health: loops.loop('retrieval log'), ...interval })
  const requestLog = createRequestLog(database, { jobs, log, health: loops.loop('request log'), ...interval })
  const authenticationThrottle = createAuthenticationThrottle(now)
  const { authenticate, authenticatePublishable, invalidate, invalidateOrganization, forgetUnknown } = authenticator(database, {
    now,
    throttle: authenticationThrottle,
    onUse: tokenUses.record,
  })
  const previewer = createPreviewer({
    extractor: createExtractor({ workers: 1, ocr: options.ocr, log }),
    outbound: options.previewOutbound ?? outbound,
  })
  const contextOf = (organizationId: string): PlatformContext => ({ ...platform, organizationId })
  const { searchMemoryBytes: maxBytes, searchThreads: threads = 0, indexFiles = null } = options
  const files = indexFiles && createIndexFiles({ ...indexFiles, contextOf, log, health: loops.loop('index files') })
  const copies =
    indexFiles !== null && options.storage.setting === 'STORAGE_URL'
      ? createIndexCopies({ ...indexFiles, storage: options.storage, contextOf, now, log, health: loops.loop('index copies') })
      : null
  const inThreads =
    threads === 0 ? searchIndexes({ maxBytes, files }) : searchThreads({ threads, maxBytes, files, indexFiles, contextOf, log })
  const indexes = copies === null ? inThreads : withCopies(inThreads, copies)
  const formerModels = createFormerModels({ open: options.openFormerModel ?? (async () => null), log })
  const mailer = createMailer(options.mail)
  const pdfRenderer = createPdfRenderer({ log })
  const platform: Platform = {
    db: database,
    jobs,
    events: eventFeed(notifications),
    storage: options.storage,
    uploads: { settle: settleUpload, require: requireUpload, take: takeUpload },
    embedder: options.embedder,
    formerModels,
    indexes,
    searchEngine: options.searchEngine ?? null,
    sourceSubscribers,
    searchLatencies: createSearchLatencies(),
    measurements: options.measurements ?? noMeasurements,
    reranker: options.reranker,
    chatModel: options.chatModel ?? null,
    outbound,
    previewer,
    retrievals,
    requestLog,
    searchLog: erasableSearches(retrievals),
    log,
    retentionDays,
    contractYears: options.contractYears ?? null,
    baseUrl,
    corsOrigins: options.corsOrigins,
    youtubeUrl: options.youtubeUrl,
    secretKey,
    pdfRenderer,
    pdfSigner: options.pdfSigner,
    proposalLinks: createProposalLinks({ baseUrl, secretKey }),
    authenticationThrottle,
    identity: createIdentity(database, {
      baseUrl,
      secretKey,
      mailer,
      issuer: options.oidc === null ? null : openIssuer(options.oidc, { outbound, now }),
      log,
      now,
      record: (event, origin) => recordAuthenticationEvent(platform, event, origin),
      enqueueReset: (resetId) => enqueueReset(platform, resetId),
    }),
    mailer,
    attachmentsOf: (ctx, mail) => attachmentsOf({ ...platform, ...ctx }, mail),
    onMailFailed: (ctx, trx, mail) => reportFailedDelivery({ ...platform, ...ctx }, trx, mail),
    systemInfo: options.systemInfo,
    backupWarning: options.backupWarning,
    invalidateToken: invalidate,
    now,
  }
  await notifications.subscribe('groundwork_organizations', {
    onNotification(organizationId) {
      invalidateOrganization(organizationId)
      platform.identity.invalidateSessions()
      indexes.evictOrganization(organizationId)
    },
    onListening: forgetUnknown,
  })
  let worker: { close(): Promise<void> } | undefined
  return {
    platform,
    jobs,
    authenticate,
    authenticatePublishable,
    limits: createLimits(database, {
      ...options.rateLimits,
      now,
      onError: (error) => log.warn({ err: error }, 'rate limit claim failed; requests pass uncounted'),
    }),
    startWorker(renderer) {
      worker = startWorker(platform, { outbound, renderer, ocr: options.ocr })
    },
    async close() {
      await previewer.close()
      await pdfRenderer.close()
      await tokenUses.close()
      await retrievals.close()
      await requestLog.close()
      await indexes.close()
      await formerModels.close()
      await jobs.stop()
      notifications.close()
      mailer.close()
      await worker?.close()
    },
  }
}
