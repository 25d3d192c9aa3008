import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Platform, PlatformContext } from '../platform.ts'
import { parsed } from '../integrations/integration.ts'
import { packageFile } from '../lib/entry.ts'
import { AppError } from '../lib/errors.ts'
import { networkOf } from '../limits/authentication-throttle.ts'
import type { Limits } from '../limits/limits.ts'
import { createRequestCounter } from '../limits/request-counter.ts'
import type { AuthenticatePublishable } from '../tokens/authenticator.ts'
import { answerVisitor, searchForVisitor, type WidgetAnswer, type WidgetSearch } from '../widget/widget.ts'
import { bearerToken, createContextOf, originOf } from './admit.ts'
import { precompressed } from './precompressed.ts'

/** Maximum number of requests per minute from one address, so that one visitor cannot use up the token's. */
const perAddress = 30

/** Maximum size of a question in bytes. */
const bodyLimit = 8_000

const Question = z.strictObject({ query: z.string().trim().min(1).max(500) })

/** Answers a visitor's question from a knowledge base. */
type Answer = (ctx: PlatformContext, baseId: string, query: string, signal: AbortSignal) => Promise<WidgetSearch | WidgetAnswer>

/**
 * Serves the search widget: its script, and the requests that it sends from pages of other origins with a publishable token.
 * A request needs an Origin that the token lists.
 */
export async function serveWidget(
  app: FastifyInstance,
  { platform, authenticate, limits }: { platform: Platform; authenticate: AuthenticatePublishable; limits: Limits },
): Promise<void> {
  await serveScript(app)
  const counter = createRequestCounter(platform.now)
  const contextOf = createContextOf(platform)
  const serve = (name: string, answer: Answer): void => {
    const url = `/widget/${name}`
    // A preflight names no token. It allows any origin to ask; the request itself decides.
    app.options(url, async (request, reply) =>
      reply
        .code(204)
        .headers({
          'Access-Control-Allow-Origin': request.headers.origin ?? '*',
          'Access-Control-Allow-Methods': 'POST',
          'Access-Control-Allow-Headers': 'Authorization, Content-Type',
          'Access-Control-Max-Age': '7200',
          Vary: 'Origin',
        })
        .send(),
    )
    app.post(url, {
      bodyLimit,
      onRequest: async (request, reply) => {
        reply.header('Vary', 'Origin')
        const { publishable, organizationId, ...bearer } = await authenticate(bearerToken(request) ?? '', request.client.address)
        request.ctx = contextOf(request, reply, { organizationId, actor: { ...bearer, ...originOf(request) } })
        const { origin } = request.headers
        if (origin === undefined || !publishable.origins.includes(origin))
          throw new AppError('forbidden', 'This token does not work on pages of this origin.')
        reply.headers({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After' })
        counter.count(`${bearer.tokenId} ${networkOf(request.client.address)}`, perAddress)
        const { refusedBy, resetSeconds } = await limits.take(organizationId, bearer.tokenId, publishable.requestsPerMinute)
        if (refusedBy !== null)
          throw new AppError('rate_limited', 'The widget has used up its requests for this minute.', { retryAfterSeconds: resetSeconds })
      },
      handler: async (request, reply) => {
        const { ctx } = request
        const [baseId] = ctx?.actor?.baseIds ?? []
        if (ctx === undefined || baseId === undefined) throw new Error('the request was not authenticated')
        const { query } = parsed(Question, request.body)
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        const body = await answer(ctx, baseId, query, left.signal)
        return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
      },
    })
  }
  serve('search', searchForVisitor)
  serve('answer', answerVisitor)
}

const scriptSeconds = 3_600

async function serveScript(app: FastifyInstance): Promise<void> {
  const script = await readFile(packageFile('widget/assets/widget.js'), 'utf8')
  const send = precompressed(() => script, 'text/javascript; charset=utf-8', `public, max-age=${scriptSeconds}`)
  app.get('/widget.js', (request, reply) =>
    send(request, reply.headers({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' })),
  )
}
