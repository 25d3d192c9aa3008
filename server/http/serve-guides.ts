import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { guidesFolder, readGuides, type Guides } from '../guides/guides.ts'
import { guidePage, missingPage, searchPage } from '../guides/page.ts'
import { packageFile } from '../lib/entry.ts'
import { AppError } from '../lib/errors.ts'
import { nullIfMissing } from '../lib/missing-file.ts'
import { precompressed } from './precompressed.ts'

const html = 'text/html; charset=utf-8'
const maxQueryLength = 200

/** The guides of docs/ below /docs. They are read at the first request. */
export function serveGuides(app: FastifyInstance): void {
  let reading: Promise<Guides> | undefined
  const guides = (): Promise<Guides> => (reading ??= readGuides())
  const pages = new Map<string, ReturnType<typeof precompressed>>()

  const send = async (slug: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const all = await guides()
    const guide = all.bySlug.get(slug)
    if (guide === undefined && !(request.headers.accept ?? '').includes('text/html'))
      throw new AppError('not_found', 'There is no such guide.')
    reply.header('Content-Security-Policy', policy)
    if (guide === undefined) return reply.code(404).type(html).send(missingPage(all))
    const page = pages.get(slug) ?? precompressed(() => guidePage(all, guide), html)
    pages.set(slug, page)
    return page(request, reply)
  }

  app.get('/docs', (request, reply) => send('', request, reply))
  app.get<{ Params: { '*': string } }>('/docs/*', (request, reply) => send(request.params['*'], request, reply))
  app.get<{ Querystring: { q?: unknown } }>('/docs/search', async ({ query: { q } }, reply) => {
    const text = typeof q === 'string' ? q.slice(0, maxQueryLength) : ''
    return reply
      .header('Content-Security-Policy', policy)
      .type(html)
      .send(searchPage(await guides(), text))
  })
  app.get<{ Params: { name: string } }>('/docs/images/:name', async ({ params: { name } }, reply) => {
    const image = /^[\w-]+\.png$/.test(name) ? await readFile(join(guidesFolder(), 'docs/images', name)).catch(nullIfMissing) : null
    if (image === null) throw new AppError('not_found', 'There is no such image.')
    return reply.type('image/png').send(image)
  })
  asset(app, 'guides.css', 'text/css; charset=utf-8')
  asset(app, 'icon.svg', 'image/svg+xml')
  asset(app, 'former-urls.js', 'text/javascript; charset=utf-8')
}

function asset(app: FastifyInstance, name: string, type: string): void {
  app.get(`/docs/${name}`, async (_request, reply) => reply.type(type).send(await readFile(packageFile(`guides/assets/${name}`), 'utf8')))
}

/** The pages load only files of this server. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
].join('; ')
