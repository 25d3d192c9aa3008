import { z } from 'zod'

/** Stable error codes with their HTTP status. */
export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  quota_exceeded: 403,
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

/** Meaning of each error code, for the users of the API. */
export const errorDescription: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request cannot be read: malformed JSON, an invalid query parameter, or a missing or invalid header.',
  unauthorized: 'The API token or the session is missing, unknown, expired or revoked.',
  forbidden: 'The token or the role lacks a required scope or permission.',
  quota_exceeded: 'The organization has reached a quota of storage, chunks or sources. `message` names it. Nothing was stored.',
  not_found: 'The addressed record does not exist, or it is not visible to this token or user.',
  method_not_allowed: 'The path exists, but not with this method; the header `Allow` lists the allowed ones.',
  conflict: 'The current state of the record does not allow the request, or a unique value is taken. `message` names the reason.',
  precondition_failed: 'The record has changed since the version in `If-Match`. Read it again before you change it.',
  payload_too_large: 'The body exceeds the maximum size.',
  unsupported_media_type: 'The body is not uncompressed JSON in UTF-8 with `Content-Type: application/json`.',
  range_not_satisfiable: 'The requested range lies outside the file.',
  validation_error:
    'The body does not match the schema, or it refers to a record that does not exist. `field` and `issues` name the fields.',
  idempotency_conflict: 'The `Idempotency-Key` was used for a different request within the last 24 hours.',
  rate_limited: 'Too many requests. Wait for the number of seconds in `Retry-After`.',
  internal: 'Unexpected error of the service. Its log has the details under the `requestId`.',
  unavailable: 'The service cannot answer at the moment. Repeat the request after the number of seconds in `Retry-After`.',
}

/**
 * Returns whether a refusal with this code is stored under the request's Idempotency-Key and replayed. Refusals by the handler
 * are: it would decide the same again. Authentication, limits and failures are not.
 */
export function isReplayed(code: ErrorCode): boolean {
  const passing: ErrorCode[] = [
    'unauthorized',
    'forbidden',
    'quota_exceeded',
    'payload_too_large',
    'unsupported_media_type',
    'rate_limited',
  ]
  return errorStatus[code] < 500 && !passing.includes(code)
}

const errorCodes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

export const ErrorIssue = z
  .object({
    field: z.string().describe('Path of the invalid field, with dots and array indexes, such as `items.0.quantity`.'),
    code: z.string().describe('Machine-readable kind of the problem, such as `too_big`.'),
    message: z.string().describe('Explanation in English. It starts with the field.'),
  })
  .meta({ id: 'ErrorIssue', description: 'One problem of a rejected request.' })
export type ErrorIssue = z.infer<typeof ErrorIssue>

export const ErrorCandidate = z
  .object({
    id: z.string().describe('Id of the record.'),
    name: z.string().nullable().describe('Name of the record; null without one.'),
  })
  .meta({ id: 'ErrorCandidate', description: 'A record that the request could mean.' })
export type ErrorCandidate = z.infer<typeof ErrorCandidate>

export const ErrorReply = z
  .object({
    error: z
      .object({
        code: z.enum(errorCodes).describe('Stable code of the error. Base decisions on it rather than on `message`.'),
        message: z.string().describe('Explanation in English for people. Its wording can change.'),
        field: z
          .string()
          .optional()
          .describe('Body field, path parameter, query parameter or header that caused the error, if there is one.'),
        issues: z.array(ErrorIssue).optional().describe('Every problem of the request, if the error lists them.'),
        candidates: z.array(ErrorCandidate).optional().describe('The records that match, if the error is that there are several.'),
        requestId: z.string().describe('Id of the request, also in the header `X-Request-Id` and in the log of the service.'),
      })
      .describe('The error.'),
  })
  .meta({
    id: 'Error',
    description: 'Body of every response to a rejected or failed request.',
    examples: [
      {
        error: {
          code: 'validation_error',
          message: 'email must be an email address',
          field: 'email',
          issues: [{ field: 'email', code: 'invalid_format', message: 'email must be an email address' }],
          requestId: 'req_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8',
        },
      },
    ],
  })
export type ErrorReply = z.infer<typeof ErrorReply>

/** Stable codes for the failure of a source. */
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
  'storage_unavailable',
  'quota_exceeded',
  'cancelled',
  'internal',
] as const
export type SourceErrorCode = (typeof sourceErrorCodes)[number]
