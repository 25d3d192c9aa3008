import type { ErrorIssue, ErrorReply } from './contract.ts'

type ErrorCode = ErrorReply['error']['code']

export interface ErrorDetails {
  code: string
  status?: number | undefined
  requestId?: string | undefined
  field?: string | undefined
  issues?: readonly ErrorIssue[] | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** The error of a failed call. `code` is stable; `requestId` identifies the request in the log of the service. */
export class GroundworkError extends Error {
  override readonly name: string = 'GroundworkError'
  readonly code: string
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined
  readonly requestId: string | undefined
  /** The body field, path or query parameter that is invalid. */
  readonly field: string | undefined
  /** All validation errors, if there are several. */
  readonly issues: readonly ErrorIssue[]
  /** The delay that the service asks for before the next attempt. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, details: ErrorDetails) {
    super(message, { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId
    this.field = details.field
    this.issues = details.issues ?? []
    this.retryAfterMs = details.retryAfterMs
  }
}

/** No response: the connection could not be made, or was lost. */
export class ConnectionError extends GroundworkError {
  override readonly name: string = 'ConnectionError'
}
/** The response did not arrive within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}
export class BadRequestError extends GroundworkError {
  override readonly name = 'BadRequestError'
}
export class AuthenticationError extends GroundworkError {
  override readonly name = 'AuthenticationError'
}
export class PermissionDeniedError extends GroundworkError {
  override readonly name = 'PermissionDeniedError'
}
/** The organization has reached a quota. Nothing was stored. */
export class QuotaExceededError extends GroundworkError {
  override readonly name = 'QuotaExceededError'
}
export class NotFoundError extends GroundworkError {
  override readonly name = 'NotFoundError'
}
/** The path exists, but not with this method. */
export class MethodNotAllowedError extends GroundworkError {
  override readonly name = 'MethodNotAllowedError'
}
export class ConflictError extends GroundworkError {
  override readonly name = 'ConflictError'
}
export class PreconditionFailedError extends GroundworkError {
  override readonly name = 'PreconditionFailedError'
}
export class PayloadTooLargeError extends GroundworkError {
  override readonly name = 'PayloadTooLargeError'
}
export class UnsupportedMediaTypeError extends GroundworkError {
  override readonly name = 'UnsupportedMediaTypeError'
}
export class RangeNotSatisfiableError extends GroundworkError {
  override readonly name = 'RangeNotSatisfiableError'
}
export class ValidationError extends GroundworkError {
  override readonly name = 'ValidationError'
}
export class IdempotencyConflictError extends GroundworkError {
  override readonly name = 'IdempotencyConflictError'
}
export class RateLimitError extends GroundworkError {
  override readonly name = 'RateLimitError'
}
/** The service failed (500 and above); only its log contains the cause. */
export class ServerError extends GroundworkError {
  override readonly name: string = 'ServerError'
}
export class UnavailableError extends ServerError {
  override readonly name = 'UnavailableError'
}

type ErrorClass = new (message: string, details: ErrorDetails) => GroundworkError

const classes: Record<ErrorCode, readonly [status: number, ErrorClass]> = {
  bad_request: [400, BadRequestError],
  unauthorized: [401, AuthenticationError],
  forbidden: [403, PermissionDeniedError],
  quota_exceeded: [403, QuotaExceededError],
  not_found: [404, NotFoundError],
  method_not_allowed: [405, MethodNotAllowedError],
  conflict: [409, ConflictError],
  precondition_failed: [412, PreconditionFailedError],
  payload_too_large: [413, PayloadTooLargeError],
  unsupported_media_type: [415, UnsupportedMediaTypeError],
  range_not_satisfiable: [416, RangeNotSatisfiableError],
  validation_error: [422, ValidationError],
  idempotency_conflict: [422, IdempotencyConflictError],
  rate_limited: [429, RateLimitError],
  internal: [500, ServerError],
  unavailable: [503, UnavailableError],
}

/** Returns the error for a response. A response that the service did not write, such as a proxy's, is classified by its status. */
export function errorFrom(response: Response, text: string): GroundworkError {
  const { status, headers } = response
  const reply = errorReply(text)
  const [code, [, ErrorType]] = Object.entries(classes).find(
    ([name, [itsStatus]]) => name === reply?.code || (reply === undefined && itsStatus === status),
  ) ?? [reply?.code ?? 'unknown', [status, status >= 500 ? ServerError : GroundworkError] as const]
  return new ErrorType(reply?.message ?? `the server responded with ${status} ${response.statusText}`.trimEnd(), {
    code,
    status,
    requestId: reply?.requestId ?? headers.get('x-request-id') ?? undefined,
    field: reply?.field,
    issues: reply?.issues,
    retryAfterMs: retryAfterMs(headers.get('retry-after')),
  })
}

function errorReply(text: string): ErrorReply['error'] | undefined {
  try {
    const { error } = JSON.parse(text) as Partial<ErrorReply>
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

/** Parses Retry-After: seconds or a date (RFC 9110, 10.2.3). */
function retryAfterMs(value: string | null): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
