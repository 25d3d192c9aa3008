import type { Scope } from '@groundwork/api'
import { scopes as allScopes } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { pino } from 'pino'
import { inject } from 'vitest'
import type { Platform, PlatformContext } from '../platform.ts'
import type { Database } from '../db/database.ts'
import { integrationEndpoints } from '../integrations/integrations.ts'
import { createApp } from '../http/app.ts'
import type { JobOutcome } from '../jobs/jobs.ts'
import type { BackupWarning } from '../backup/backup-folder.ts'
import type { OidcSettings } from '../identity/oidc/issuer.ts'
import type { ChatModel } from '../knowledge/answers/chat-model.ts'
import type { Embedder } from '../knowledge/embed/embedder.ts'
import type { Renderer } from '../knowledge/render/renderer.ts'
import type { SearchEngine } from '../knowledge/engine/search-engine.ts'
import type { Reranker } from '../knowledge/rerank/reranker.ts'
import { createLoopRegistry } from '../lib/loop-health.ts'
import { newId } from '../lib/ids.ts'
import type { Measurements } from '../lib/measurements.ts'
import type { SecretKeys } from '../lib/secrets.ts'
import { OutboundError } from '../outbound/error.ts'
import { createOutbound, type Outbound } from '../outbound/outbound.ts'
import { moduleHandlers } from '../modules.ts'
import { createServices } from '../services.ts'
import { localStorage, type Storage } from '../storage/storage.ts'
import { createToken } from '../tokens/issue.ts'
import { atEnd } from './at-end.ts'
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
  /** Folder of emails written as files. */
  mailFolder: string
  /** Creates an organization and a token with these scopes; all scopes by default. */
  organization: (options?: { scopes?: readonly Scope[] }) => Promise<Caller>
}

export interface TestAppOptions {
  /** By default, embedding fails. */
  embedder?: Embedder
  /** Models that were used before; none by default. */
  formerModels?: readonly Embedder[]
  reranker?: Reranker
  /** None by default. */
  chatModel?: ChatModel
  now?: () => Date
  /** Also starts a worker with this outbound client. */
  worker?: { outbound: Outbound; renderer?: Renderer }
  onJobEnded?: (queue: string, outcome: JobOutcome) => void
  /** Nothing is measured by default. */
  measurements?: Measurements
  /** HTML of every URL in previews; by default, previews fetch nothing. */
  previewedPage?: string
  youtubeUrl?: string
  /** No identity provider by default. */
  oidc?: OidcSettings
  /** None by default. */
  searchEngine?: SearchEngine
  /** None by default. */
  backupWarning?: BackupWarning
  /** Emails are written as files by default. */
  smtpUrl?: string
  /** Called with the stream of each database connection before its use, so that a test can break it. */
  onStream?: (stream: Duplex) => void
  /** The storage of the files; a temporary folder by default. */
  storage?: Storage
  /** A migrated store with data; by default, a new empty one. The service closes it. */
  store?: TestStore
}

export interface TestStore {
  readonly database: Database
  readonly files: Storage
  readonly secretKey: SecretKeys
  readonly close: () => Promise<void>
}

/** Starts the whole service on a new database, without a socket. It stops after the test that starts it, or after the test file. */
export async function testApp({
  embedder = noEmbedder,
  formerModels = [],
  reranker,
  chatModel,
  now = () => new Date(),
  worker,
  onJobEnded,
  measurements,
  previewedPage,
  youtubeUrl = 'https://www.youtube.com',
  oidc,
  searchEngine,
  backupWarning,
  smtpUrl,
  onStream,
  storage,
  store,
}: TestAppOptions = {}): Promise<TestApp> {
  const { database, close } =
    store ??
    (await copyOfTemplate({
      serverUrl: inject('serverUrl'),
      embeddedTemplate: inject('embeddedTemplate'),
      ...(onStream && { onStream }),
    }))
  const outbound = worker?.outbound ?? createOutbound({ allowHosts: ['127.0.0.1'], userAgent: 'test' })
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-files-'))
  const log = pino({ level: process.env['TEST_LOG_LEVEL'] ?? 'silent' })
  const { platform, authenticate, authenticatePublishable, limits, ...services } = await createServices({
    database,
    storage: storage ?? store?.files ?? (await localStorage(folder)),
    embedder,
    openFormerModel: async (model) => formerModels.find((each) => each.model === model) ?? null,
    reranker: reranker ?? null,
    chatModel: chatModel ?? null,
    outbound,
    previewOutbound: worker?.outbound ?? (previewedPage === undefined ? unreachable : answering(previewedPage)),
    log,
    loops: createLoopRegistry({ log, now }),
    now,
    runsJobs: worker !== undefined,
    onJobEnded,
    measurements,
    // Tests flush the search log to read it.
    writesLogs: false,
    baseUrl: 'http://groundwork.test',
    corsOrigins: [],
    youtubeUrl,
    secretKey: store?.secretKey ?? { current: 'a secret key that only tests use', previous: null },
    mail: { smtpUrl, folder: join(folder, 'mail'), from: 'Groundwork <groundwork@example.com>' },
    oidc: oidc ?? null,
    pdfSigner: null,
    searchEngine: searchEngine ?? null,
    searchMemoryBytes: 256 * 2 ** 20,
    rateLimits: { perToken: 60_000, perOrganization: 120_000 },
    systemInfo: {
      version: '0.0.0',
      database: inject('serverUrl') === '' ? 'embedded' : 'postgresql',
      storage: 'local',
      embedder: 'bundled',
      reranker: null,
      chat: null,
      oidc: oidc !== undefined,
    },
    backupWarning: async () => backupWarning ?? null,
  })
  const app = await createApp({
    platform,
    authenticate,
    authenticatePublishable,
    limits,
    handlers: moduleHandlers,
    integrations: integrationEndpoints,
  })
  if (worker !== undefined) services.startWorker(worker.renderer ?? null)
  atEnd(async () => {
    await app.close()
    await services.close()
    await worker?.renderer?.close()
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
      const json = /^application\/json(?:;|$)/.test(String(response.headers['content-type']))
      const read = () => (json ? response.json() : response.body)
      const called = { status: response.statusCode, body: response.body === '' ? undefined : read(), headers: response.headers }
      requireReadableError(called)
      return called
    },
  }
}

/** Requires that the message of an error is one or more sentences, or says what is wrong with its field. */
function requireReadableError({ body }: Called): void {
  const { message, field, requestId } = (body?.error ?? {}) as { message?: unknown; field?: string; requestId?: string }
  if (typeof message !== 'string' || requestId === undefined) return
  const aboutField = field?.split('.').some((name) => message.startsWith(name)) ?? false
  if (!aboutField && !/^[A-Z0-9].*[.?!]$/s.test(message)) throw new Error(`the error message is not a sentence: ${message}`)
}

const answering = (html: string): Pick<Outbound, 'fetch'> => ({
  fetch: async (url) => ({
    status: 200,
    url: String(url),
    redirects: 0,
    headers: new Headers({ 'content-type': 'text/html' }),
    body: Buffer.from(html),
  }),
})

const unreachable: Pick<Outbound, 'fetch'> = {
  fetch: () => Promise.reject(new OutboundError('fetch_failed', 'this test reaches no address')),
}

const noEmbedder: Embedder = {
  model: 'none@none/none',
  dimensions: 384,
  embed: () => Promise.reject(new Error('this test has no embedder')),
  competence: () => 1,
  close: async () => undefined,
}
