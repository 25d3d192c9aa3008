import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '../context.ts'
import { refusalOf } from '../identity/auth-refusal.ts'
import { originOf } from './admit.ts'
import { requireOwnPage } from './own-page.ts'

/** Bytes of a body at most: a few short fields. */
const bodyLimit = 16_384

/** Of the request, what the sign-in library reads. */
const passedOn = ['cookie', 'user-agent', 'accept', 'content-type', 'accept-language'] as const

/** Serves what the sign-in library answers below /auth. */
export function mountAuth(app: FastifyInstance, { identity, baseUrl }: Platform): void {
  app.route({
    method: ['GET', 'POST'],
    url: '/auth/*',
    exposeHeadRoute: false,
    bodyLimit,
    onRequest: async (request) => requireOwnPage(request, baseUrl),
    handler: async (request, reply) => {
      const answer = await identity.handle(asWebRequest(request, baseUrl), originOf(request))
      return send(reply, answer, request.url.slice('/auth'.length).split('?', 1)[0] ?? '')
    },
  })
}

function asWebRequest(request: FastifyRequest, baseUrl: string): Request {
  // Where it came from has been looked at: to the library every page of our own is that of the public address.
  const headers = new Headers({ origin: new URL(baseUrl).origin })
  for (const name of passedOn) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const { method, bytes } = request
  const body = method === 'GET' ? undefined : new Uint8Array(bytes ?? Buffer.from('{}'))
  if (body !== undefined) headers.set('content-type', 'application/json')
  return new Request(new URL(request.url, baseUrl), { method, headers, ...(body !== undefined && { body }) })
}

/** @throws Error for a refusal, which then has the form of every other error of the service */
async function send(reply: FastifyReply, answer: Response, path: string): Promise<FastifyReply> {
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) reply.header('Set-Cookie', cookies)
  if (answer.status >= 400) throw await refusalOf(answer, path)
  reply.code(answer.status)
  for (const [name, value] of answer.headers) if (name !== 'set-cookie') reply.header(name, value)
  return reply.send(Buffer.from(await answer.arrayBuffer()))
}
