import type { Socket } from 'node:net'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { commonHeaders } from './response-headers.ts'
import { errorReply } from './errors.ts'

const reasons: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request was not received in time.'],
}

/** Handles malformed HTTP (Fastify's `clientErrorHandler`). There is no request yet, so no route or error handler can respond. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const requestId = `req_${newId()}`
  const body = JSON.stringify(errorReply(new AppError('bad_request', message), requestId))
  const headers = {
    ...commonHeaders(requestId),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
