import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { Readiness } from '../readiness/readiness.ts'
import { errorHeaders, errorReply } from './errors.ts'
import { errorStatus } from '@groundwork/api'

export type ServedReadiness = Pick<Readiness, 'reasons' | 'isDraining'>

/**
 * Serves GET /healthz, which answers 200 while the process runs, and GET /readyz, which answers 200 if the program can serve
 * and 503 with all reasons otherwise. Does not log, since probes can arrive every second. During a drain, every response closes
 * its connection, so that the next request goes to another process.
 */
export function serveProbes(app: FastifyInstance, readiness: ServedReadiness): void {
  app.addHook('onRequest', async (_request, reply) => {
    if (readiness.isDraining()) reply.header('Connection', 'close')
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const issues = await readiness.reasons()
    if (issues.length === 0) return { status: 'ready' }
    const message = `The service is not ready. ${issues.map((issue) => issue.message).join(' ')}`
    const error = new AppError('unavailable', message, { issues })
    return reply.code(errorStatus[error.code]).headers(errorHeaders(error)).send(errorReply(error, request.id))
  })
}
