import { errorStatus } from '@groundwork/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageFile } from '../lib/entry.ts'
import { networkOf } from '../limits/authentication-throttle.ts'
import { createRequestCounter } from '../limits/request-counter.ts'
import type { Platform } from '../platform.ts'
import { createProposalPages, type PageResponse } from '../proposals/page/pages.ts'
import type { Visitor } from '../proposals/page/visit.ts'
import { sendFile } from './file.ts'
import { errorHeaders, toAppError } from './errors.ts'
import { requireSameSite } from './same-origin.ts'

/** Maximum number of requests per minute: from an address, to a link, and of answers to a link. */
export interface ProposalPageLimits {
  readonly perAddress: number
  readonly perLink: number
  readonly answersPerLink: number
}

export const defaultPageLimits: ProposalPageLimits = { perAddress: 600, perLink: 120, answersPerLink: 20 }

/** Maximum size of a form in bytes. A drawn signature has a few thousand points. */
const bodyLimit = 256_000

/** Maximum number of files of a page. */
const maxFiles = 30

/** Longer than any link, and short enough to be remembered. */
const maxLinkLength = 100

interface LinkRoute {
  /** `sha256` only in the path of a file. */
  Params: { secret: string; sha256?: string }
  Querystring: { preview?: unknown }
  Body: URLSearchParams | undefined
}

/** Serves the public pages of proposals below /p/, which need no sign-in and work without JavaScript. */
export async function serveProposalPages(app: FastifyInstance, platform: Platform, limits: ProposalPageLimits): Promise<void> {
  const pages = createProposalPages(platform)
  const counter = createRequestCounter(platform.now)
  const visitor = (request: FastifyRequest<LinkRoute>): Promise<Visitor> => visitorOf(request, platform)
  // Browsers ask for it on pages without an icon, such as those of proposals, which show no other brand than that of the seller.
  app.get('/favicon.ico', async (_request, reply) => reply.code(204).header('Cache-Control', 'public, max-age=86400').send())
  await app.register(async (scope) => {
    await serveAssets(scope)
    acceptForms(scope)
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(pageHeaders)
      counter.count(`address ${networkOf(request.client.address)}`, limits.perAddress)
      const { secret } = request.params as { secret?: string }
      const isFile = /\/(?:files\/:sha256|logo)$/.test(request.routeOptions.url ?? '')
      if (secret !== undefined)
        counter.count(`${isFile ? 'files' : 'link'} ${secret.slice(0, maxLinkLength)}`, limits.perLink * (isFile ? maxFiles : 1))
      if (request.routeOptions.url?.endsWith('/pdf') === true)
        counter.count(`pdf ${secret?.slice(0, maxLinkLength)}`, limits.answersPerLink)
      if (request.method === 'POST') {
        requireSameSite(request, platform.baseUrl)
        counter.count(`answer ${secret?.slice(0, maxLinkLength)}`, limits.answersPerLink)
      }
    })
    scope.setErrorHandler((error, request, reply) => {
      const known = toAppError(error, request)
      reply.headers({ ...errorHeaders(known), ...pageHeaders })
      const language = /^[A-Za-z]{2}/.exec(request.headers['accept-language'] ?? '')?.[0]
      return send(reply, pages.failed(known, errorStatus[known.code], language))
    })
    scope.get<LinkRoute>('/p/:secret', async (request, reply) =>
      send(reply, await pages.show(request.params.secret, await visitor(request), { isPrefetch: isPrefetch(request) })),
    )
    scope.get<LinkRoute>('/p/:secret/pdf', async (request, reply) =>
      sendFile(request, reply, await pages.pdf(request.params.secret, await visitor(request))),
    )
    scope.get<LinkRoute>('/p/:secret/files/:sha256', async (request, reply) =>
      sendFile(request, reply, await pages.file(request.params.secret, await visitor(request), request.params.sha256 ?? '')),
    )
    scope.get<LinkRoute>('/p/:secret/logo', async (request, reply) =>
      sendFile(request, reply, await pages.logo(request.params.secret, await visitor(request))),
    )
    scope.post<LinkRoute>('/p/:secret/view', async (request, reply) =>
      send(reply, await pages.confirmView(request.params.secret, await visitor(request))),
    )
    scope.post<LinkRoute>('/p/:secret/choose', async (request, reply) =>
      send(reply, await pages.choose(request.params.secret, await visitor(request), formOf(request))),
    )
    scope.post<LinkRoute>('/p/:secret/accept', async (request, reply) =>
      send(reply, await pages.accept(request.params.secret, await visitor(request), formOf(request))),
    )
    scope.post<LinkRoute>('/p/:secret/ask', async (request, reply) =>
      send(reply, await pages.ask(request.params.secret, await visitor(request), formOf(request))),
    )
    scope.post<LinkRoute>('/p/:secret/decline', async (request, reply) =>
      send(reply, await pages.decline(request.params.secret, await visitor(request), formOf(request))),
    )
  })
}

const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
    done(null, new URLSearchParams(body.toString())),
  )
}

const formOf = ({ body }: FastifyRequest<LinkRoute>): URLSearchParams => body ?? new URLSearchParams()

async function visitorOf({ client, headers, id, query }: FastifyRequest<LinkRoute>, { identity }: Platform): Promise<Visitor> {
  const { cookie = '' } = headers
  return {
    address: client.address,
    userAgent: headers['user-agent'],
    requestId: id,
    isPreview: query.preview !== undefined,
    memberOf: identity.hasSessionCookie(cookie) ? await identity.organizationsOf(cookie) : [],
  }
}

/** Browsers and mail scanners that load a page in advance; a HEAD request shows the page to nobody. */
const isPrefetch = ({ method, headers }: FastifyRequest<LinkRoute>): boolean =>
  method === 'HEAD' || /prefetch|prerender|preview/i.test([headers['sec-purpose'], headers['purpose'], headers['x-moz']].join(' '))

function send(reply: FastifyReply, response: PageResponse): FastifyReply {
  if ('redirect' in response) return reply.redirect(response.redirect, 303)
  return reply.code(response.status).type('text/html; charset=utf-8').send(response.html)
}

const hourSeconds = 3_600

/** Serves the style sheet, in which `accent` sets the color of the seller, and the scripts. */
async function serveAssets(scope: FastifyInstance): Promise<void> {
  const read = (path: string): Promise<string> => readFile(path, 'utf8')
  const signaturePad = join(dirname(createRequire(import.meta.url).resolve('signature_pad')), 'signature_pad.min.js')
  const styles = await read(packageFile('proposals/page/assets/page.css'))
  const cacheControl = `public, max-age=${hourSeconds}`
  scope.get<{ Querystring: { accent?: unknown } }>('/p/assets/page.css', async ({ query: { accent } }, reply) => {
    const color = typeof accent === 'string' && /^[0-9a-f]{6}$/i.test(accent) ? `:root { --accent: #${accent}; }\n` : ''
    return reply.type('text/css; charset=utf-8').header('Cache-Control', cacheControl).send(`${styles}${color}`)
  })
  const own = (name: string): Promise<string> => read(packageFile(`proposals/page/assets/${name}`))
  const scripts = {
    'page.js': await own('page.js'),
    'live-totals.js': await own('live-totals.js'),
    'signature-pad.js': await read(signaturePad),
  }
  for (const [name, script] of Object.entries(scripts)) {
    scope.get(`/p/assets/${name}`, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('Cache-Control', cacheControl).send(script),
    )
  }
}
