import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { actorId, type Platform } from '../context.ts'
import type { IntegrationResponse, IntegrationRequest, IntegrationEndpoint } from '../integrations/integration.ts'
import type { Limits } from '../limits/limits.ts'
import type { Authenticate } from '../tokens/authenticator.ts'
import { admitter, presentedSecret, tokenBearer } from './admit.ts'
import type { AnswerHeaders } from './answer-headers.ts'
import { errorHeaders, toAppError } from './errors.ts'
import { limitRate } from './rate-limit.ts'

/** Serves the doors: authentication, limits and scopes as the API has them, bodies and errors as each door says. */
export function mountIntegrations(
  app: FastifyInstance,
  doors: readonly IntegrationEndpoint[],
  {
    platform,
    authenticate,
    limits,
    headersOf,
  }: { platform: Platform; authenticate: Authenticate; limits: Limits; headersOf: AnswerHeaders },
): void {
  const admit = admitter(platform, limits)
  for (const door of doors) {
    app.route({
      method: door.method,
      url: door.path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: false,
      onRequest: async (request, reply) => {
        request.ctx = await admit(request, reply, await tokenBearer(request, authenticate, secretOf(request, door)), door.scope)
      },
      handler: async (request, reply) => {
        const { ctx } = request
        if (ctx === undefined) throw new Error('a door was opened to who was not admitted')
        const again = async (): Promise<void> =>
          limitRate(reply, limits, ctx.organizationId, ctx.actor === undefined ? '' : actorId(ctx.actor))
        return send(reply, await door.handle({ ...ctx, via: door.via }, asked(request, door, again)))
      },
      errorHandler: (error, request, reply) => {
        const told = toAppError(error, request)
        reply.headers({ ...errorHeaders(told), ...headersOf(request) })
        void send(reply, door.formatError(told, { requestId: request.id, secret: secretOf(request, door) }))
      },
    })
  }
}

function secretOf(request: FastifyRequest, { secretHeader }: IntegrationEndpoint): string {
  const secret = presentedSecret(request)
  if (secret !== '' || secretHeader === undefined) return secret
  return firstOf(request.headers[secretHeader]) ?? ''
}

function asked(request: FastifyRequest, door: IntegrationEndpoint, again: () => Promise<void>): IntegrationRequest {
  return {
    params: request.params as Record<string, string>,
    query: request.query,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, firstOf(value)])),
    body: request.body,
    bytes: request.bytes ?? Buffer.alloc(0),
    secret: secretOf(request, door),
    again,
  }
}

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

function send(reply: FastifyReply, { status, body, headers = {} }: IntegrationResponse): FastifyReply {
  reply.code(status).headers(headers)
  return body === undefined ? reply.send() : reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}
