import { z } from 'zod'

/** Stable codes of a refused request, and the HTTP status that each is answered with. */
export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  validation_error: 422,
  idempotency_conflict: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

/**
 * Whether a refusal of this code to a request with an Idempotency-Key is kept and given again: the verb decided it and would
 * decide the same; not so who asks, how much, or whether the service can answer.
 */
export function isReplayed(code: ErrorCode): boolean {
  const passing: ErrorCode[] = ['unauthorized', 'forbidden', 'payload_too_large', 'unsupported_media_type', 'rate_limited']
  return errorStatus[code] < 500 && !passing.includes(code)
}

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

export const ErrorIssue = z.object({ field: z.string(), code: z.string(), message: z.string() }).meta({ id: 'ErrorIssue' })
export type ErrorIssue = z.infer<typeof ErrorIssue>

export const ErrorReply = z
  .object({
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      field: z.string().optional().meta({ description: 'The body field, path or query parameter at fault.' }),
      issues: z.array(ErrorIssue).optional().meta({ description: 'Every fault found, when there are several.' }),
      requestId: z.string().meta({ description: 'Also in the X-Request-Id header and in the log.' }),
    }),
  })
  .meta({ id: 'Error' })
export type ErrorReply = z.infer<typeof ErrorReply>

/** Stable reasons why a source is `failed`. */
export const sourceErrorCodes = [
  'unsupported_type',
  'corrupt_file',
  'encrypted_file',
  'too_large',
  'empty_content',
  'fetch_failed',
  'blocked_address',
  'robots_disallowed',
  'not_found',
  'timeout',
  'no_transcript',
  'transcript_blocked',
  'embedding_failed',
  'cancelled',
  'internal',
] as const
export type SourceErrorCode = (typeof sourceErrorCodes)[number]
