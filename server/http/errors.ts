import { errorStatus, type ErrorCode, type ErrorReply } from '@groundwork/api'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { AnswerHeaders } from './answer-headers.ts'

export type AnswerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** The one place where a failure becomes an answer: the caller is told the known part, and the log has all of it. */
export function errorAnswerer(headersOf: AnswerHeaders): AnswerError {
  return (error, request, reply) => {
    const known = toAppError(error, request)
    reply
      .code(errorStatus[known.code])
      .headers({ ...errorHeaders(known), ...headersOf(request) })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorReply(known, request.id)))
  }
}

/** What the caller may know of a failure; the log has the rest. */
export function toAppError(error: unknown, request: FastifyRequest): AppError {
  const known = error instanceof AppError ? error : translate(error)
  if (known.code === 'internal' || known.code === 'unavailable') request.log.error({ err: error }, known.message)
  return known
}

/** Headers that a refusal has, whatever the form of its body. */
export function errorHeaders({ code, retryAfterSeconds = code === 'unavailable' ? 1 : undefined }: AppError): Record<string, string> {
  return {
    ...(code === 'unauthorized' && { 'WWW-Authenticate': 'Bearer realm="groundwork"' }),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(retryAfterSeconds) }),
  }
}

export function errorReply(error: AppError, requestId: string): ErrorReply {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.field !== undefined && { field: error.field }),
      ...(error.issues !== undefined && { issues: [...error.issues] }),
      requestId,
    },
  }
}

const byFastifyCode: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'the body is larger than this endpoint takes'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'the body must be JSON with Content-Type: application/json'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'the body is not as long as Content-Length says'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['bad_request', 'the body is not valid JSON'],
  FST_ERR_BAD_URL: ['bad_request', 'the path is not a valid address'],
}

/**
 * SQLSTATE classes and codes that mean "not now": connection or prepared statement lost, transaction ended by the server,
 * out of resources, cancelled, lock not available, table changed.
 */
const passing = /^(?:08...|53...|57...|25P0[34]|26000|55P03|0A000|40001|40P01|58000)$/

function translate(error: unknown): AppError {
  const { code, statusCode } = describe(error)
  const known = byFastifyCode[code]
  if (known !== undefined) return new AppError(known[0], known[1], { cause: error })
  if (error instanceof SyntaxError && statusCode === 400) return new AppError('bad_request', 'the body is not valid JSON', { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('bad_request', 'the request is not valid', { cause: error })
  if (passing.test(code) || code === 'ECONNREFUSED' || code === 'ECONNRESET') {
    return new AppError('unavailable', 'the service cannot answer right now; try again shortly', { cause: error })
  }
  return new AppError('internal', 'something went wrong on our side; the log has the details under this requestId', { cause: error })
}

function describe(error: unknown): { code: string; statusCode: number | undefined } {
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  return { code: typeof code === 'string' ? code : '', statusCode }
}
