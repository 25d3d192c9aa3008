import type { ErrorCode, ErrorIssue, SourceErrorCode } from '@groundwork/api'

/** A failure that the caller is told of. Everything else is a defect: `internal`, constant on the wire, whole in the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly issues: readonly ErrorIssue[] | undefined
  /** When it is worth another attempt. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    detail: { field?: string; issues?: readonly ErrorIssue[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: detail.cause })
    this.name = 'AppError'
    this.code = code
    this.field = detail.field
    this.issues = detail.issues
    this.retryAfterSeconds = detail.retryAfterSeconds
  }
}

/** Why a source failed: `code` is stable and published as the source's `errorCode`, `message` is for a person. */
export class SourceError extends Error {
  readonly code: SourceErrorCode
  /** Whether another attempt could go better (a time-out may, a corrupt file never will). */
  readonly retryable: boolean

  constructor(code: SourceErrorCode, message: string, detail: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: detail.cause })
    this.name = 'SourceError'
    this.code = code
    this.retryable = detail.retryable ?? false
  }
}
