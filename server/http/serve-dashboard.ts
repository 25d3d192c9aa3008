import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../lib/errors.ts'
import { escapeHtml } from '../lib/escape-html.ts'
import { nullIfMissing } from '../lib/missing-file.ts'

/** Returns the folder of the built dashboard, from the TypeScript sources and from `dist/` alike. */
export const builtDashboard = (): string => resolve(import.meta.dirname, rootFrom(import.meta.dirname), 'dashboard/dist')

const rootFrom = (folder: string): string => (folder.endsWith(join('dist', 'http')) ? '../../..' : '../..')

const yearSeconds = 31_536_000
const immutable = `public, max-age=${yearSeconds}, immutable`
const firstPaintPath = '/app/first-paint.js'
/** The files of a page that its HTML does not name, from dashboard/page-files.ts. */
interface PageFiles {
  /** Such as `/$organization/contacts/$contactId`. */
  readonly path: string
  readonly files: readonly string[]
  /** The title of the page, unless it depends on data. */
  readonly title: string | null
  /** Whether the page asks who is signed in. */
  readonly needsUser: boolean
}

/** Placeholder in the built page that each response replaces by its nonce. */
const noncePlaceholder = /__NONCE__/g
/** Placeholder in the built page for the title, which is visible until the dashboard draws the page. */
const titlePlaceholder = '<!-- title -->'

/**
 * Serves the dashboard: one page for all URLs below /app/, and its assets.
 * @param folder output folder of the build
 * @param uploadOrigin origin that receives files, if it is not this server
 */
export async function serveDashboard(app: FastifyInstance, folder: string, uploadOrigin: string | null): Promise<void> {
  const built = await readFile(join(folder, 'index.html'), 'utf8').catch(nullIfMissing)
  app.get('/', async (_request, reply) => reply.redirect('/app/'))
  app.get('/app', async (_request, reply) => reply.redirect('/app/'))
  if (built === null) {
    app.get('/app/*', async (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(notBuiltMessage))
    return
  }
  const pages = JSON.parse(await readFile(join(folder, 'pages.json'), 'utf8')) as PageFiles[]
  const firstPaint = await readFile(join(folder, 'first-paint.js'), 'utf8')
  // With its content hash in the URL, browsers never use the file of another version of the page.
  const firstPaintUrl = `${firstPaintPath}?v=${createHash('sha256').update(firstPaint).digest('hex').slice(0, 16)}`
  const page = built.replace(firstPaintPath, firstPaintUrl)
  await app.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/app/assets/',
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    // File names contain a content hash.
    setHeaders(reply) {
      void reply.header('Cache-Control', immutable)
    },
  })
  app.get(firstPaintPath, async (request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('Cache-Control', request.url === firstPaintUrl ? immutable : 'no-cache')
      .send(firstPaint),
  )
  app.get('/app/*', async (request, reply) => {
    if (request.url.startsWith('/app/assets/')) throw new AppError('not_found', 'There is no such file in this version of the dashboard.')
    return sendPage(reply, pageAt(request.url, page, pages), uploadOrigin)
  })
}

/**
 * Returns the page at a URL. It names what this page needs besides the HTML's own files: the browser loads it together with the
 * entry instead of after it. Scripts have a low priority, because the first paint needs only the styles.
 */
function pageAt(url: string, html: string, pages: readonly PageFiles[]): string {
  const segments = segmentsOf(url)
  const matching = pages.filter(({ path }) => matches(path.split('/').slice(1), segments))
  // As in the router, a route with fewer parameters is preferred.
  const [page] = matching.toSorted((one, other) => one.path.split('$').length - other.path.split('$').length)
  if (page === undefined) return html
  const me = page.needsUser ? '<link rel="preload" as="fetch" crossorigin href="/v1/me">' : ''
  const files = page.files.filter((file) => !html.includes(file)).map(preload)
  const linked = html.replace('</head>', () => `${me}${files.join('')}</head>`)
  if (!page.path.startsWith('/$organization')) return linked
  return linked.replace('<body>', '<body class="framed">').replace(titlePlaceholder, () => escapeHtml(page.title ?? ''))
}

const preload = (file: string): string =>
  `<link rel=${file.endsWith('.css') ? '"preload" as="style"' : '"modulepreload" fetchpriority="low"'} crossorigin href="/app/${file}">`

const segmentsOf = (url: string): string[] =>
  url
    .replace(/[?#].*$/, '')
    .split('/')
    .slice(2)
    .filter((segment) => segment !== '')

const matches = (route: readonly string[], segments: readonly string[]): boolean =>
  route.length === segments.length && route.every((part, index) => part.startsWith('$') || part === segments[index])

const notBuiltMessage = `The dashboard has not been built. Run "npm run build" to build it. The API is available.\n`

function sendPage(reply: FastifyReply, page: string, uploadOrigin: string | null): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .headers({ 'Content-Security-Policy': policy(nonce, uploadOrigin), 'Referrer-Policy': 'same-origin' })
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(noncePlaceholder, nonce))
}

/** Allows only scripts and styles of this server. Styles that components create at run time carry the nonce. */
const policy = (nonce: string, uploadOrigin: string | null): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    `connect-src 'self'${uploadOrigin === null ? '' : ` ${uploadOrigin}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; ')
