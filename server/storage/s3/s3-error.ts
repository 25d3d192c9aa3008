import { StorageError, type StorageFailure } from '../storage-error.ts'
import { s3Location, type S3Settings } from './settings.ts'
import { parseXml, textOf } from './xml.ts'

/** An answer of the service that is not a success. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  /** Time of the service by its answer. */
  readonly date: string | null
}

export function readRefusal(status: number, headers: Headers, body: string): Refusal {
  const error = parseXml(body).find(({ name }) => name === 'Error')
  const code = error === undefined ? '' : textOf(error, 'Code')
  return {
    status,
    code: code === '' ? byStatus(status) : code,
    message: error === undefined ? '' : textOf(error, 'Message'),
    date: headers.get('date'),
  }
}

/** A HEAD request is answered without a body. */
const byStatus = (status: number): string =>
  ({ 403: 'AccessDenied', 404: 'NoSuchKey', 412: 'PreconditionFailed', 503: 'SlowDown', 507: 'InsufficientStorage' })[status] ??
  `HTTP ${status}`

const full = new Set([
  'QuotaExceeded',
  'InsufficientStorage',
  'XMinioStorageFull',
  'XMinioAdminBucketQuotaExceeded',
  'InsufficientCapacity',
  'ServiceQuotaExceeded',
])
const misconfigured = new Set([
  'NoSuchBucket',
  'AuthorizationHeaderMalformed',
  'PermanentRedirect',
  'TemporaryRedirect',
  'InvalidBucketName',
])

function failureOf({ status, code }: Refusal): StorageFailure {
  if (full.has(code) || status === 507) return 'full'
  if (misconfigured.has(code)) return 'misconfigured'
  if (status === 401 || status === 403) return 'denied'
  return status >= 500 || status === 429 || code === 'RequestTimeout' ? 'busy' : 'misconfigured'
}

/** Returns whether a repetition can succeed within a second. */
export const isTransient = (refusal: Refusal): boolean => failureOf(refusal) === 'busy' && refusal.status !== 501

/** Explains a refusal to the operator: the problem, with its value and the setting to change. */
export function refusalError(refusal: Refusal, settings: S3Settings, action: string, now: Date): StorageError {
  const { code, message, status } = refusal
  const place = s3Location(settings)
  const explanation = explain(refusal, settings, now) ?? (message === '' ? '' : ` ${message.replace(/\.?$/, '.')}`)
  return new StorageError(failureOf(refusal), code, `${place}: ${action} failed with ${code} (HTTP ${status}).${explanation}`)
}

function explain({ code, date }: Refusal, { bucket, endpoint, region, credentials }: S3Settings, now: Date): string | null {
  switch (code) {
    case 'NoSuchBucket':
      return ` The bucket "${bucket}" does not exist at ${endpoint}. Create it, or correct its name in the URL.`
    case 'InvalidAccessKeyId':
      return ` The service does not know the access key "${credentials.accessKeyId}". Check AWS_ACCESS_KEY_ID.`
    case 'SignatureDoesNotMatch':
      return ' The secret key does not belong to the access key, or a proxy changes the requests. Check AWS_SECRET_ACCESS_KEY.'
    case 'RequestTimeTooSkewed':
      return ` The clock of this machine says ${now.toISOString()}${date === null ? '' : `, that of the service ${new Date(date).toISOString()}`}. Correct the clock.`
    case 'ExpiredToken':
    case 'InvalidToken':
      return ' The session token has expired or is not valid. Check AWS_SESSION_TOKEN.'
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
      return ` The bucket is in another region than "${region}". Set region in the URL.`
    case 'AccessDenied':
      return ` The access key "${credentials.accessKeyId}" is not allowed to do this. Change its policy.`
    case 'QuotaExceeded':
    case 'InsufficientStorage':
    case 'XMinioStorageFull':
    case 'XMinioAdminBucketQuotaExceeded':
      return ' The bucket is full. Delete objects, or raise its quota.'
    default:
      return null
  }
}

/** Explains an error of the connection. */
export function connectionError(cause: unknown, settings: S3Settings, action: string): StorageError {
  const code = codeOf(cause)
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'Nothing listens there.',
    ENOTFOUND: 'The host name is unknown.',
    EAI_AGAIN: 'The host name cannot be resolved at present.',
    ETIMEDOUT: 'It does not answer in time.',
  }
  return new StorageError(
    'unreachable',
    code,
    `${s3Location(settings)}: ${action} failed. ${settings.endpoint} cannot be reached (${code}). ${reasons[code] ?? 'Check endpoint in the URL.'}`,
    { cause },
  )
}

/** Returns the code of the innermost error that has one. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const inner = error.cause === undefined ? 'unknown' : codeOf(error.cause)
  if (inner !== 'unknown') return inner
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'ETIMEDOUT'
  if ('code' in error && typeof error.code === 'string') return error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 'ETIMEDOUT' : error.code
  return 'unknown'
}
