import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { AppError } from '../lib/errors.ts'
import { everyAnswer } from './answer-headers.ts'
import { errorReply } from './errors.ts'

const reasons: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'the headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'the request did not arrive in time'],
}

/** Answers what is not HTTP, so that no request exists which a route or an error handler could answer. */
export function answerMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = reasons[error.code ?? ''] ?? ['400 Bad Request', 'the request is not valid HTTP']
  const requestId = `req_${randomUUID()}`
  const body = JSON.stringify(errorReply(new AppError('bad_request', message), requestId))
  const headers = {
    ...everyAnswer(requestId),
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}
