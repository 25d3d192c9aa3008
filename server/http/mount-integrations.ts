import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorId } from '../context.ts'
import type { Platform } from '../platform.ts'
import type { IntegrationResponse, IntegrationRequest, IntegrationEndpoint } from '../integrations/integration.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { createAdmit, presentedSecret, authenticateToken } from './admit.ts'
import type { ResponseHeaders } from './response-headers.ts'
import { errorHeaders, toAppError } from './errors.ts'
import { sendFile } from './file.ts'
import { applyRateLimit } from './rate-limit.ts'

/**
 * Serves the integrations. Authentication, rate limits and scopes are those of the API; each integration defines its own bodies
 * and error format.
 */
export function mountIntegrations(
  app: FastifyInstance,
  integrations: readonly IntegrationEndpoint[],
  {
    platform,
    authenticate,
    limits,
    responseHeaders,
  }: { platform: Platform; authenticate: Authenticate; limits: Limits; responseHeaders: ResponseHeaders },
): void {
  const admit = createAdmit(platform, limits)
  for (const integration of integrations) {
    app.route({
      method: integration.method,
      url: integration.path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        request.ctx = await admit(
          request,
          reply,
          await authenticateToken(request, authenticate, secretOf(request, integration)),
          integration.scope === null ? [] : [integration.scope],
        )
      },
      handler: async (request, reply) => {
        const { ctx } = request
        if (ctx === undefined) throw new Error('the request was not authenticated')
        const countAgain = async (): Promise<void> =>
          applyRateLimit(reply, limits, ctx.organizationId, ctx.actor === undefined ? '' : actorId(ctx.actor))
        const response = await integration.handle({ ...ctx, via: integration.via }, integrationRequest(request, integration, countAgain))
        return response.file === undefined ? send(reply, response) : sendFile(request, reply, response.file)
      },
      errorHandler: (error, request, reply) => {
        const appError = toAppError(error, request)
        reply.headers({ ...errorHeaders(appError), ...responseHeaders(request) })
        void send(reply, integration.formatError(appError, { requestId: request.id, secret: secretOf(request, integration) }))
      },
    })
  }
}

function secretOf(request: FastifyRequest, { secretHeader }: IntegrationEndpoint): string {
  const secret = presentedSecret(request)
  if (secret !== '' || secretHeader === undefined) return secret
  return firstOf(request.headers[secretHeader]) ?? ''
}

function integrationRequest(
  request: FastifyRequest,
  integration: IntegrationEndpoint,
  countAgain: () => Promise<void>,
): IntegrationRequest {
  return {
    params: request.params as Record<string, string>,
    query: request.query,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, firstOf(value)])),
    body: request.body,
    bytes: request.rawBody ?? Buffer.alloc(0),
    secret: secretOf(request, integration),
    again: countAgain,
  }
}

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function send(reply: FastifyReply, { status, body, headers = {} }: IntegrationResponse): FastifyReply {
  reply.code(status).headers(headers)
  return body === undefined ? reply.send() : reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
