import type { Scope } from '@groundwork/api'
import { scopes as allScopes } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pino } from 'pino'
import { afterAll, inject } from 'vitest'
import type { Platform, PlatformContext } from '../platform.ts'
import type { Database } from '../db/database.ts'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { eventFeed } from '../events/feed.ts'
import { createApp } from '../http/app.ts'
import { openJobs, type JobOutcome } from '../jobs/jobs.ts'
import { createIdentity } from '../identity/identity.ts'
import { openIssuer, type OidcSettings } from '../identity/oidc/issuer.ts'
import { recordAuthenticationEvent } from '../identity/record-event.ts'
import { enqueueReset } from '../identity/reset-mail.ts'
import type { Embedder } from '../knowledge/embed/embedder.ts'
import type { Renderer } from '../knowledge/render/renderer.ts'
import { createExtractor } from '../knowledge/extract/extractor.ts'
import { createSearchLatencies } from '../knowledge/search/latency-estimates.ts'
import { searchIndexes } from '../knowledge/index/search-indexes.ts'
import { sourceSubscribers } from '../knowledge/subscriptions.ts'
import { createPreviewer } from '../knowledge/preview/previewer.ts'
import type { Reranker } from '../knowledge/rerank/reranker.ts'
import { createRetrievalLog } from '../knowledge/retrievals/log.ts'
import { reportingTo } from '../lib/loop-health.ts'
import { newId } from '../lib/ids.ts'
import { createMailer } from '../mail/mailer.ts'
import { createAuthenticationThrottle } from '../limits/authentication-throttle.ts'
import { createLimits } from '../limits/limits.ts'
import { OutboundError } from '../outbound/error.ts'
import { createOutbound, type Outbound } from '../outbound/outbound.ts'
import { createNotifications } from '../db/notifications.ts'
import { queues } from '../queues.ts'
import { moduleHandlers } from '../modules.ts'
import { localStorage } from '../storage/storage.ts'
import { authenticator } from '../tokens/authenticator.ts'
import { createToken } from '../tokens/issue.ts'
import { startWorker } from '../worker.ts'
import { copyOfTemplate } from './template.ts'

export interface Called {
  status: number
  /** The parsed JSON, or the text of another type; undefined without a body. */
  body: any // oxlint-disable-line typescript/no-explicit-any -- a test reads any reply
  headers: Record<string, string | string[] | number | undefined>
}

/** A client with a token of one organization. */
export interface Caller {
  organizationId: string
  token: string
  ctx: PlatformContext
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Called>
}

export interface TestApp {
  app: FastifyInstance
  platform: Platform
  database: Database
  /** Folder of e-mails written as files. */
  mailFolder: string
  /** Creates an organization and a token with these scopes; all scopes by default. */
  organization: (options?: { scopes?: readonly Scope[] }) => Promise<Caller>
}

export interface TestAppOptions {
  /** By default, embedding fails. */
  embedder?: Embedder
  reranker?: Reranker
  now?: () => Date
  /** Also starts a worker with this outbound client. */
  worker?: { outbound: Outbound; renderer?: Renderer }
  onJobEnded?: (queue: string, outcome: JobOutcome) => void
  /** HTML of every URL in previews; by default, previews fetch nothing. */
  previewedPage?: string
  youtubeUrl?: string
  /** No identity provider by default. */
  oidc?: OidcSettings
  /** E-mails are written as files by default. */
  smtpUrl?: string
  /** Called with the stream of each database connection before its use, so that a test can break it. */
  onStream?: (stream: Duplex) => void
}

/** Starts the whole service on a new database, without a socket. It stops after the test file. */
export async function testApp({
  embedder = noEmbedder,
  reranker,
  now = () => new Date(),
  worker,
  onJobEnded,
  previewedPage,
  youtubeUrl = 'https://www.youtube.com',
  oidc,
  smtpUrl,
  onStream,
}: TestAppOptions = {}): Promise<TestApp> {
  const { database, close } = await copyOfTemplate({
    serverUrl: inject('serverUrl'),
    embeddedTemplate: inject('embeddedTemplate'),
    ...(onStream && { onStream }),
  })
  const outbound = worker?.outbound ?? createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-files-'))
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const notifications = createNotifications(
    database.pool,
    reportingTo((error) => log.error(error)),
  )
  const jobs = await openJobs(database.pool, {
    queues,
    worker: worker === undefined ? null : { notifications },
    onError: (error) => log.error(error),
    onEnded: onJobEnded,
  })
  const events = eventFeed(notifications)
  const authenticationThrottle = createAuthenticationThrottle(now)
  const { authenticate, invalidate } = authenticator(database, { now, throttle: authenticationThrottle })
  const previewer = createPreviewer({
    extractor: createExtractor({ workers: 1 }),
    outbound: worker?.outbound ?? (previewedPage === undefined ? unreachable : answering(previewedPage)),
  })
  const indexes = searchIndexes({ maxBytes: 256 * 2 ** 20 })
  const mailer = createMailer({ smtpUrl, folder: join(folder, 'mail'), from: 'Groundwork <groundwork@example.com>' })
  const platform: Platform = {
    db: database,
    jobs,
    events,
    storage: await localStorage(folder),
    embedder,
    indexes,
    sourceSubscribers,
    searchLatencies: createSearchLatencies(),
    reranker: reranker ?? null,
    outbound,
    previewer,
    // Tests flush the log to read it.
    retrievals: createRetrievalLog(database, { jobs, log, now, intervalMs: null }),
    log,
    baseUrl,
    corsOrigins: [],
    youtubeUrl,
    secretKey,
    authenticationThrottle,
    identity: createIdentity(database, {
      baseUrl,
      secretKey,
      mailer,
      issuer: oidc === undefined ? null : openIssuer(oidc, { outbound, now }),
      log,
      now,
      record: (happening, origin) => recordAuthenticationEvent(platform, happening, origin),
      enqueueReset: (resetId) => enqueueReset(platform, resetId),
    }),
    mailer,
    systemInfo: {
      version: '0.0.0',
      database: inject('serverUrl') === '' ? 'embedded' : 'postgresql',
      embedder: 'bundled',
      reranker: null,
      oidc: oidc !== undefined,
    },
    invalidateToken: invalidate,
    now,
  }
  const app = await createApp({
    platform,
    authenticate,
    limits: createLimits(database, { perToken: 60_000, perOrganization: 120_000, now, onError: (error) => log.error(error) }),
    handlers: moduleHandlers,
    integrations: integrationEndpoints,
  })
  const working = worker && startWorker(platform, { renderer: null, ...worker })
  afterAll(async () => {
    await app.close()
    await previewer.close()
    await indexes.close()
    notifications.close()
    await jobs.stop()
    await working?.close()
    await worker?.renderer?.close()
    mailer.close()
    await outbound.close()
    await embedder.close()
    await close()
    await rm(folder, { recursive: true, force: true })
  })
  return { app, platform, database, mailFolder: join(folder, 'mail'), organization: (options) => organization(app, platform, options) }
}

async function organization(
  app: FastifyInstance,
  platform: Platform,
  { scopes = allScopes }: { scopes?: readonly Scope[] } = {},
): Promise<Caller> {
  const organizationId = newId()
  await platform.db.pool.query('insert into organization (id, name, created_at) values ($1, $2, now())', [
    organizationId,
    `Test ${organizationId}`,
  ])
  const { secret } = await createToken(platform.db, { organizationId, name: 'test', scopes, expiresAt: null, now: platform.now() })
  return {
    organizationId,
    token: secret,
    ctx: { ...platform, organizationId },
    async call(method, path, body, headers = {}) {
      const response = await app.inject({
        method: method as 'GET',
        url: path,
        headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const json = String(response.headers['content-type']).startsWith('application/json')
      const read = () => (json ? response.json() : response.body)
      return { status: response.statusCode, body: response.body === '' ? undefined : read(), headers: response.headers }
    },
  }
}

const baseUrl = 'http://groundwork.test'
const secretKey = 'a secret key that only tests use'

const answering = (html: string): Pick<Outbound, 'fetch'> => ({
  fetch: async (url) => ({ status: 200, url: String(url), headers: new Headers({ 'content-type': 'text/html' }), body: Buffer.from(html) }),
})

const unreachable: Pick<Outbound, 'fetch'> = {
  fetch: () => Promise.reject(new OutboundError('fetch_failed', 'this test reaches no address')),
}

const noEmbedder: Embedder = {
  model: 'none@none/none',
  dimensions: 384,
  embed: () => Promise.reject(new Error('this test has no embedder')),
  close: async () => undefined,
}
