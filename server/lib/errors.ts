import type { ErrorCandidate, ErrorCode, ErrorIssue, SourceErrorCode } from '@groundwork/api'

/** An error shown to the client. All other errors are defects: clients receive a constant `internal` error, and the log has the details. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly field: string | undefined
  readonly issues: readonly ErrorIssue[] | undefined
  readonly candidates: readonly ErrorCandidate[] | undefined
  /** Value of the Retry-After header. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    detail: {
      field?: string
      issues?: readonly ErrorIssue[]
      candidates?: readonly ErrorCandidate[]
      retryAfterSeconds?: number
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: detail.cause })
    this.name = 'AppError'
    this.code = code
    this.field = detail.field
    this.issues = detail.issues
    this.candidates = detail.candidates
    this.retryAfterSeconds = detail.retryAfterSeconds
  }
}

/** A failure of a source. `code` is published as the source's `errorCode`; `message` is for people. */
export class SourceError extends Error {
  readonly code: SourceErrorCode
  /** Whether a retry can succeed: true for a timeout, false for a corrupt file. */
  readonly retryable: boolean

  constructor(code: SourceErrorCode, message: string, detail: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause: detail.cause })
    this.name = 'SourceError'
    this.code = code
    this.retryable = detail.retryable ?? false
  }
}

/** Returns the refusal that `fn` throws, or its result. */
export function refusedOr<T>(fn: () => T): T | AppError {
  try {
    return fn()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
