import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '../platform.ts'
import { toAuthError } from '../identity/auth-error.ts'
import { originOf } from './admit.ts'
import { requireSameOrigin } from './same-origin.ts'

/** Maximum size of a body in bytes. */
const bodyLimit = 16_384

/** Request headers passed to better-auth. */
const forwardedHeaders = ['cookie', 'user-agent', 'accept', 'content-type', 'accept-language'] as const

/** Serves the endpoints of better-auth below /auth. */
export function mountAuth(app: FastifyInstance, { identity, baseUrl }: Platform): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/auth/*',
    exposeHeadRoute: false,
    bodyLimit,
    onRequest: async (request) => requireSameOrigin(request, baseUrl),
    handler: async (request, reply) => {
      const answer = await identity.handle(asWebRequest(request, baseUrl), originOf(request))
      return send(reply, answer, request.url.slice('/auth'.length).split('?', 1)[0] ?? '')
    },
  })
}

function asWebRequest(request: FastifyRequest, baseUrl: string): Request {
  // `requireSameOrigin` has checked the Origin. better-auth only knows the origin of the public URL.
  const headers = new Headers({ origin: new URL(baseUrl).origin })
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const { method, rawBody } = request
  const body = method === 'GET' ? undefined : new Uint8Array(rawBody ?? Buffer.from('{}'))
  if (body !== undefined) headers.set('content-type', 'application/json')
  return new Request(new URL(request.url, baseUrl), { method, headers, ...(body !== undefined && { body }) })
}

/** @throws Error for a status of 400 or more, so that it is sent like every other error */
async function send(reply: FastifyReply, answer: Response, path: string): Promise<FastifyReply> {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
  if (answer.status >= 400) throw await toAuthError(answer, path)
  reply.code(answer.status)
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value)
  return reply.send(Buffer.from(await answer.arrayBuffer()))
}
