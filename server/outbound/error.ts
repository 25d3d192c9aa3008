import { SourceError } from '../lib/errors.ts'

type OutboundErrorCode = 'blocked_address' | 'fetch_failed' | 'not_found' | 'timeout' | 'too_large'

/** The failure of an outbound request. It extends `SourceError`, so that ingestion reports it unchanged. */
export class OutboundError extends SourceError {
  constructor(code: OutboundErrorCode, message: string, detail: { retryable?: boolean; cause?: unknown } = {}) {
    super(code, message, detail)
    this.name = 'OutboundError'
  }
}

const descriptions: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be resolved',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the server closed the connection',
  EPIPE: 'the server closed the connection',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ETIMEDOUT: 'the server did not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the server did not answer',
  UND_ERR_SOCKET: 'the server closed the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the reply is incomplete',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the reply are too large',
  Z_BUF_ERROR: 'the compressed reply is incomplete',
  Z_DATA_ERROR: 'the body does not match its Content-Encoding',
}
const permanent = /^(ENOTFOUND|UND_ERR_HEADERS_OVERFLOW|Z_DATA_ERROR|HPE_|CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

/** Describes a failure below HTTP (name resolution, socket, TLS, protocol, compression) for users. Most are temporary. */
export function networkError(host: string, cause: unknown): OutboundError {
  if (cause instanceof OutboundError) return cause
  const code = errorCode(cause)
  const why = descriptions[code] ?? (permanent.test(code) ? 'no valid HTTP reply or certificate' : 'the request failed')
  return new OutboundError('fetch_failed', `${host}: ${why}${code ? ` (${code})` : ''}`, { retryable: !permanent.test(code), cause })
}

/** undici and `net` nest the actual error: in `cause`, or in an AggregateError after several addresses. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return errorCode(error.errors[0])
  return errorCode(error.cause)
}
