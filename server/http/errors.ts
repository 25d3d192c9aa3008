import { errorStatus, type ErrorCode, type ErrorReply } from '@groundwork/api'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { StorageError } from '../storage/storage-error.ts'
import type { ResponseHeaders } from './response-headers.ts'

export type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Returns the function that sends every error response. It shows the client an AppError, and logs everything else in full. */
export function createErrorHandler(responseHeaders: ResponseHeaders): SendError {
  return (error, request, reply) => {
    const known = toAppError(error, request)
    reply
      .code(errorStatus[known.code])
      .headers({ ...errorHeaders(known), ...responseHeaders(request) })
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorReply(known, request.id)))
  }
}

/** Converts any error to the AppError shown to the client. Logs internal errors and unavailability. */
export function toAppError(error: unknown, request: FastifyRequest): AppError {
  const known = error instanceof AppError ? error : translate(error)
  if (known.code === 'internal' || known.code === 'unavailable') request.log.error({ err: error }, known.message)
  return known
}

/** Returns the headers of an error response, independent of the format of its body. */
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
      ...(error.candidates !== undefined && { candidates: [...error.candidates] }),
      requestId,
    },
  }
}

const byFastifyCode: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'The body exceeds the size limit of this endpoint.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The body must be JSON with Content-Type: application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The length of the body differs from Content-Length.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['bad_request', 'The body is not valid JSON.'],
  FST_ERR_BAD_URL: ['bad_request', 'The path is not a valid URL path.'],
}

/**
 * SQLSTATE classes and codes of transient failures: connection or prepared statement lost, transaction ended by the server, out
 * of resources, cancelled, lock not available, table changed, serialization failure, deadlock, I/O error.
 */
const transientCode = /^(?:08...|53...|57...|25P0[34]|26000|55P03|0A000|40001|40P01|58000)$/

const storageRetrySeconds = 5

function translate(error: unknown): AppError {
  if (error instanceof StorageError) {
    const message =
      error.failure === 'full'
        ? 'The file storage is full. The operator of this installation must make room.'
        : 'The file storage is temporarily unavailable. Try again shortly.'
    return new AppError('unavailable', message, { retryAfterSeconds: storageRetrySeconds, cause: error })
  }
  const { code, statusCode } = errorDetails(error)
  const known = byFastifyCode[code]
  if (known !== undefined) return new AppError(known[0], known[1], { cause: error })
  if (error instanceof SyntaxError && statusCode === 400)
    return new AppError('bad_request', 'The body is not valid JSON.', { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('bad_request', 'The request is not valid.', { cause: error })
  if (transientCode.test(code) || code === 'ECONNREFUSED' || code === 'ECONNRESET') {
    return new AppError('unavailable', 'The service is temporarily unavailable. Try again shortly.', { cause: error })
  }
  return new AppError('internal', 'An internal error occurred. The server log has the details under this requestId.', { cause: error })
}

function errorDetails(error: unknown): { code: string; statusCode: number | undefined } {
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  return { code: typeof code === 'string' ? code : '', statusCode }
}
