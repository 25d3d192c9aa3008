import { queryInteger } from '@groundwork/api'
import { z } from 'zod'
import { parseByteSize } from './lib/byte-size.ts'
import { loggedRequests } from './lib/logged-requests.ts'
import { defaultOcrLimits } from './knowledge/extract/ocr-limits.ts'
import { parseSearchUrl } from './knowledge/engine/search-url.ts'
import { defaultRetentionDays } from './lib/retention-days.ts'
import { issueMessage } from './lib/issue-message.ts'
import type { Quotas } from './quotas/default-quotas.ts'
import { noProxies, parseTrustedProxies } from './lib/trusted-proxies.ts'
import { parseStorageUrl } from './storage/storage-settings.ts'
import { unknownSettings } from './unknown-settings.ts'

const port = queryInteger(0, 65_535)
/** 0 means no limit. */
const requestsPerMinute = queryInteger(0, 1_000_000_000)
const retentionDays = queryInteger(1, 10_000)
const contractYears = queryInteger(1, 100)
const quota = queryInteger(0, 1_000_000_000_000)
const urlOf = (...protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `must be a URL that begins with ${protocols.join(' or ')}//`,
    )

/** Converts an error that `parse` throws into a validation issue with the same message. */
const parsedBy =
  <T>(parse: (value: string) => T) =>
  (value: string, context: z.RefinementCtx): T => {
    try {
      return parse(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
      return z.NEVER
    }
  }

const secretKey = z.string().refine((key) => key.trim().length >= 32, 'must have at least 32 characters')

/** Every setting of the program. docs/configuration.md documents them for operators. */
const Environment = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  BASE_URL: urlOf('http:', 'https:').optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: urlOf('postgres:', 'postgresql:').optional(),
  DATABASE_POOLER: z.enum(['transaction']).optional(),
  DATABASE_DIRECT_URL: urlOf('postgres:', 'postgresql:').optional(),
  DATABASE_REPLICA_URL: urlOf('postgres:', 'postgresql:').optional(),
  /** At least 2: waiting work must not hold the only connection. */
  DATABASE_POOL_SIZE: queryInteger(2, 1_000).default(20),
  ROLE: z.enum(['all', 'api', 'worker']).default('all'),
  STORAGE_URL: z.string().transform(parsedBy(parseStorageUrl)).optional(),
  STORAGE_URL_PREVIOUS: z.string().transform(parsedBy(parseStorageUrl)).optional(),
  AWS_ACCESS_KEY_ID: z.string().min(1).optional(),
  AWS_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  AWS_SESSION_TOKEN: z.string().min(1).optional(),
  EMBEDDINGS_DIR: z.string().min(1).optional(),
  EMBEDDINGS_URL: urlOf('http:', 'https:').optional(),
  EMBEDDINGS_API_KEY: z.string().optional(),
  EMBEDDINGS_MODEL: z.string().optional(),
  EMBEDDINGS_DIMENSIONS: queryInteger(1, 16_000).optional(),
  EMBEDDINGS_QUERY_PREFIX: z.string().optional(),
  EMBEDDINGS_PASSAGE_PREFIX: z.string().optional(),
  RERANK_DIR: z.string().min(1).optional(),
  RERANK_URL: urlOf('http:', 'https:').optional(),
  RERANK_API_KEY: z.string().optional(),
  RERANK_MODEL: z.string().optional(),
  CHAT_URL: urlOf('http:', 'https:').optional(),
  CHAT_API_KEY: z.string().optional(),
  CHAT_MODEL: z.string().optional(),
  FETCH_ALLOW_HOSTS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
    ),
  SEARCH_URL: z.string().transform(parsedBy(parseSearchUrl)).optional(),
  SEARCH_MEMORY_MB: queryInteger(16, 1_000_000).optional(),
  SEARCH_THREADS: queryInteger(0, 64).optional(),
  INDEX_DIR: z.string().min(1).optional(),
  INDEX_DISK_GB: queryInteger(0, 100_000).default(10),
  OCR_MAX_PAGES: queryInteger(0, 10_000).default(defaultOcrLimits.pages),
  OCR_MAX_MEGAPIXELS: queryInteger(1, 100_000).default(defaultOcrLimits.megapixels),
  CHROMIUM_PATH: z.string().min(1).optional(),
  YOUTUBE_URL: urlOf('http:', 'https:').default('https://www.youtube.com'),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_PREVIOUS: secretKey.optional(),
  OIDC_ISSUER: urlOf('http:', 'https:').optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  SMTP_URL: urlOf('smtp:', 'smtps:').optional(),
  MAIL_FROM: z.string().min(3).max(300).optional(),
  PDF_SIGNING_P12: z.string().min(1).optional(),
  PDF_SIGNING_P12_PASSWORD: z.string().optional(),
  RATE_LIMIT_PER_TOKEN: requestsPerMinute.default(60_000),
  RATE_LIMIT_PER_ORGANIZATION: requestsPerMinute.default(120_000),
  RETAIN_EVENTS_DAYS: retentionDays.default(defaultRetentionDays.events),
  RETAIN_AUDIT_DAYS: retentionDays.default(defaultRetentionDays.audit),
  RETAIN_RETRIEVALS_DAYS: retentionDays.default(defaultRetentionDays.retrievals),
  RETAIN_CONTRACTS_YEARS: contractYears.optional(),
  QUOTA_STORAGE: z.string().transform(parsedBy(parseByteSize)).optional(),
  QUOTA_CHUNKS: quota.optional(),
  QUOTA_SOURCES: quota.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible ASCII characters')
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform(parsedBy(parseTrustedProxies))
    .default(() => noProxies),
  CORS_ORIGINS: z
    .string()
    .transform(parsedBy(parseOrigins))
    .default(() => []),
  /** Seconds; 0 on the embedded engine and 5 with a database server by default. */
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(600).optional(),
  BACKUP_TO: z.string().min(1).optional(),
  /** Milliseconds. */
  BACKUP_EVERY: z.string().default('24h').transform(parsedBy(parseDuration)),
  BACKUP_KEEP: queryInteger(1, 10_000).default(7),
  BACKUP_KEY_FILE: z.string().min(1).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOf('http:', 'https:').optional(),
  OTEL_SERVICE_NAME: z.string().min(1).default('groundwork'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  LOG_REQUESTS: z.enum(loggedRequests).default('all'),
})

export type Config = z.output<typeof Environment> & { readonly DRAIN_SECONDS: number }

/** @throws Error that names the invalid value */
function parseOrigins(list: string): string[] {
  const origins = list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const wrong = origins.find((origin) => !/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
  if (wrong === undefined) return origins
  throw new Error(`"${wrong}" is not an origin such as https://app.example.com: scheme, host and port alone, separated by commas`)
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Returns milliseconds. @throws Error that names the form */
function parseDuration(text: string): number {
  const [, amount, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  if (amount === undefined || unit === undefined) throw new Error('must be a number of minutes, hours or days, such as 30m, 24h or 7d')
  return Number(amount) * (unitMs[unit] ?? 0)
}

/** Returns the address of the PostgreSQL server itself, for work that needs a session; undefined for the embedded engine. */
export const sessionDatabaseUrl = ({ DATABASE_DIRECT_URL, DATABASE_URL }: Config): string | undefined => DATABASE_DIRECT_URL ?? DATABASE_URL

/** Returns the public URL, without a trailing slash. */
export const baseUrlOf = ({ BASE_URL, HOST, PORT }: Config): string => (BASE_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '')

/** Returns the quotas of organizations without their own; null for no limit. */
export const defaultQuotasOf = ({ QUOTA_STORAGE, QUOTA_CHUNKS, QUOTA_SOURCES }: Config): Quotas => ({
  storageBytes: QUOTA_STORAGE ?? null,
  chunks: QUOTA_CHUNKS ?? null,
  sources: QUOTA_SOURCES ?? null,
})

/** Reads the settings. Throws an Error that names each invalid or unknown variable and says what is wrong with it. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  // Compose files and shells leave unset variables empty.
  const set = Object.fromEntries(Object.entries(environment).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''))
  const result = Environment.safeParse(set, { error: issueMessage })
  const unknown = unknownSettings(set, Object.keys(Environment.shape))
  const wrong = result.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
  if (!result.success || unknown.length > 0) throw new Error([...unknown, ...wrong].join('\n'))
  const config = result.data
  for (const kind of ['EMBEDDINGS', 'RERANK'] as const) {
    if (config[`${kind}_DIR`] !== undefined && config[`${kind}_URL`] !== undefined)
      throw new Error(`${kind}_DIR and ${kind}_URL: only one of them can be set, a folder with a model or an endpoint`)
  }
  if (config.EMBEDDINGS_URL !== undefined && (config.EMBEDDINGS_MODEL === undefined || config.EMBEDDINGS_DIMENSIONS === undefined)) {
    throw new Error('EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS: are required when EMBEDDINGS_URL is set')
  }
  if ((config.CHAT_URL === undefined) !== (config.CHAT_MODEL === undefined))
    throw new Error('CHAT_URL and CHAT_MODEL: must be set together')
  const oidc = (['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const).filter((name) => config[name] === undefined)
  if (oidc.length === 1 || oidc.length === 2)
    throw new Error(`${oidc.join(' and ')}: OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together`)
  const keys = config.AWS_ACCESS_KEY_ID !== undefined && config.AWS_SECRET_ACCESS_KEY !== undefined
  for (const name of ['STORAGE_URL', 'STORAGE_URL_PREVIOUS'] as const) {
    const place = config[name]
    if (place?.kind === 's3' && place.credentials === null && !keys)
      throw new Error(`AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: are required when ${name} is a bucket`)
  }
  if (config.DATABASE_POOLER !== undefined && (config.DATABASE_URL === undefined || config.DATABASE_DIRECT_URL === undefined)) {
    throw new Error(
      'DATABASE_POOLER: needs DATABASE_URL, the address of the pooler, and DATABASE_DIRECT_URL, that of the PostgreSQL server itself, for notifications, migrations and backups.',
    )
  }
  if (config.DATABASE_DIRECT_URL !== undefined && config.DATABASE_POOLER === undefined)
    throw new Error('DATABASE_DIRECT_URL: is used only with DATABASE_POOLER=transaction.')
  if (config.DATABASE_REPLICA_URL !== undefined && config.DATABASE_URL === undefined)
    throw new Error('DATABASE_REPLICA_URL: needs DATABASE_URL, the address of its primary.')
  if (config.ROLE !== 'all' && config.DATABASE_URL === undefined) {
    throw new Error('ROLE: the embedded database supports a single process. Set DATABASE_URL to run api and worker as separate processes.')
  }
  return { ...config, DRAIN_SECONDS: config.DRAIN_SECONDS ?? (config.DATABASE_URL === undefined ? 0 : 5) }
}
