import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/errors.ts'
import type { Readiness } from '../readiness/readiness.ts'
import { errorHeaders, errorReply } from './errors.ts'
import { errorStatus } from '@groundwork/api'

/**
 * GET /healthz answers 200 while the process lives. GET /readyz answers 200 while the program can serve, and 503 with
 * every reason otherwise; what fails writes its own log lines, so that a probe each second writes none.
 */
export function serveProbes(app: FastifyInstance, readiness: Pick<Readiness, 'reasons'>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (request, reply) => {
    const issues = await readiness.reasons()
    if (issues.length === 0) return { status: 'ready' }
    const message = `The service is not ready. ${issues.map((issue) => issue.message).join(' ')}`
    const error = new AppError('unavailable', message, { issues })
    return reply.code(errorStatus[error.code]).headers(errorHeaders(error)).send(errorReply(error, request.id))
  })
}
