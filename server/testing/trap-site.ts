import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'
import { makePdf } from './make-pdf.ts'

/** A request to the site, as `/__log` returns it. */
interface Hit {
  /** Milliseconds since 1970. */
  readonly t: number
  readonly method: string
  readonly url: string
  readonly ua: string
  /** The ETag of a conditional request. */
  readonly cond?: string
}

const parts = 'saddle pedal chain brake wheel spoke fork stem bell lamp rack lock pump tyre tube valve grip cable hub rim axle'.split(' ')
const tools = 'wrench lever gauge hammer brush rag oil grease file clamp stand scale torch'.split(' ')
const verbs = 'loosen tighten clean inspect replace adjust grease align'.split(' ')
const word = (list: readonly string[], at: number): string => list[at % list.length] ?? ''

/** Paths of the ordinary pages. Their texts differ by more than numbers. */
export const manualPaths: readonly string[] = Array.from(
  { length: 33 },
  (_, at) => `/manual-${at < 17 ? 'workshop' : 'rental'}/${word(parts, at)}-${word(tools, at * 5)}.html`,
)

const titleOf = (path: string): string => path.replace(/^.*\/|\.html$/g, '').replace('-', ' and ')

function manualPage(path: string): string {
  const at = manualPaths.indexOf(path)
  const sentences = Array.from({ length: 5 }, (_, line) => {
    const [part, tool] = [word(parts, at * 3 + line * 2), word(tools, at + line * 7)]
    return `<p>First ${word(verbs, at + line)} the ${part} with the ${tool}, then ${word(verbs, at + line * 3 + 1)} the ${word(parts, at * 5 + line)}.</p>`
  })
  return page(titleOf(path), sentences.join(''))
}

const page = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>${body}</main></body></html>`
const link = (path: string, rel = ''): string => `<li><a href="${path}"${rel}>${titleOf(path)}</a></li>`

const trapPaths = [
  '/private/secret.html',
  '/traps/noindex',
  '/traps/calendar?month=1',
  '/traps/redirect-metadata',
  '/traps/redirect-file',
  '/traps/slow',
  '/traps/huge',
  '/traps/gzip-bomb',
  '/traps/429',
  '/traps/dup',
  '/traps/dup?utm_source=letter',
  '/traps/dup?print=1',
  '/traps/cyrillic',
  '/traps/report.pdf',
  '/traps/js-only',
  '/traps/meta-refresh',
  '/traps/500',
  '/traps/404',
  '/traps/truncated',
  '/traps/no-type',
  '/traps/big-headers',
  '/traps/etag',
]

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const html =
  (body: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
const redirect =
  (location: string): Answer =>
  (response) =>
    void response.writeHead(302, { location }).end()
const tagged =
  (body: string, etag: string): Answer =>
  (response, request) => {
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    return html(body, { etag })(response, request)
  }

function answers(): ReadonlyMap<string, Answer> {
  let tooMany = 2
  const index = page(
    'Bicycle manuals',
    `<ul>${[...manualPaths, ...trapPaths].map((path) => link(path)).join('')}${link('/traps/nofollow', ' rel="nofollow"')}</ul>`,
  )
  const dup = page(
    'Opening hours',
    '<p>The desk by the harbour opens at nine and closes at six.</p>',
    '<link rel="canonical" href="/traps/dup">',
  )
  return new Map<string, Answer>([
    ['/robots.txt', (response) => void response.end('User-agent: *\nCrawl-delay: 0.1\nDisallow: /private/\n')],
    ['/', tagged(index, '"index"')],
    ...manualPaths.map((path) => [path, tagged(manualPage(path), `"${path}"`)] as const),
    ['/private/secret.html', html(page('Secret', '<p>canary-PRIVATE-5521</p>'))],
    ['/traps/noindex', html(page('Draft', '<p>canary-NOINDEX no index</p>', '<meta name="robots" content="noindex">'))],
    ['/traps/nofollow', html(page('Advert', '<p>canary-NOFOLLOW nofollow secret</p>'))],
    ['/traps/redirect-metadata', redirect('http://169.254.169.254/latest/')],
    ['/traps/redirect-file', redirect('file:///etc/passwd')],
    ['/traps/slow', () => undefined],
    ['/traps/huge', huge],
    [
      '/traps/gzip-bomb',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        // The client closes the connection when it has unpacked enough.
        pipeline(spaces(), createGzip(), response, () => undefined)
      },
    ],
    [
      '/traps/429',
      (response, request) => {
        if (tooMany === 0) return html(page('Patience', '<p>canary-429-OK This page was reached after waiting.</p>'))(response, request)
        tooMany -= 1
        return void response.writeHead(429, { 'retry-after': '1' }).end()
      },
    ],
    ['/traps/dup', html(dup)],
    [
      '/traps/cyrillic',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=windows-1251' })
          .end(
            windows1251(
              '<html lang="ru"><title>Привет</title><main><h1>Привет</h1><p>Привет мир, велосипеды стоят во дворе.</p></main></html>',
            ),
          ),
    ],
    [
      '/traps/report.pdf',
      (response) =>
        void response
          .writeHead(200, { 'content-type': 'application/pdf' })
          .end(makePdf([['Annual report', 'The yard lent ninety trailers.']])),
    ],
    ['/traps/js-only', html('<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>')],
    ['/traps/meta-refresh', html('<!doctype html><meta http-equiv="refresh" content="0; url=/"><title>Moved</title>')],
    ['/traps/500', (response) => void response.writeHead(500).end('broken')],
    [
      '/traps/truncated',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' })
        response.write('<html><body><p>This page ends too', () => response.destroy())
      },
    ],
    ['/traps/no-type', (response) => void response.end(page('Undeclared', '<p>The lamp hangs above the gate of the shed.</p>'))],
    ['/traps/big-headers', html(page('Headers', '<p>Long headers precede the price of a helmet.</p>'), { 'x-padding': 'p'.repeat(6000) })],
    ['/traps/etag', tagged(page('Versioned', '<p>The map of the cycle paths has a version.</p>'), '"map"')],
  ])
}

function* spaces(): Generator<Buffer> {
  const block = Buffer.alloc(2 ** 20, ' ')
  for (let megabytes = 0; megabytes < 200; megabytes += 1) yield block
}

/** Endless, until the client gives up. */
function huge(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html' })
  const line = Buffer.alloc(2 ** 20, '<p>more and more</p>')
  const write = (): void => {
    while (!response.destroyed && response.write(line));
    if (!response.destroyed) response.once('drain', write)
  }
  write()
}

/** Encodes Latin and Russian letters. */
function windows1251(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0)
      return code < 128 ? code : code - 0x410 + 0xc0
    }),
  )
}

/**
 * Starts a site with ordinary pages and with everything that makes a crawl go wrong.
 * @returns a function that stops it
 */
export async function startTrapSite(port: number): Promise<() => void> {
  const hits: Hit[] = []
  const known = answers()
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    if (url === '/__log') return void response.end(JSON.stringify(hits))
    const condition = request.headers['if-none-match']
    hits.push({ t: Date.now(), method, url, ua: request.headers['user-agent'] ?? '', ...(condition !== undefined && { cond: condition }) })
    const { pathname, searchParams } = new URL(url, 'http://site')
    if (pathname === '/traps/calendar') {
      const month = Number(searchParams.get('month'))
      return html(page(`Month ${month}`, `<p>No tours in month ${month}.</p><a href="/traps/calendar?month=${month + 1}">next</a>`))(
        response,
        request,
      )
    }
    const answer = known.get(pathname) ?? ((missing: ServerResponse) => void missing.writeHead(404).end('not found'))
    return answer(response, request)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
