import fastify, { type FastifyInstance } from 'fastify'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commonHeaders } from './response-headers.ts'
import { createErrorHandler } from './errors.ts'
import { serveDashboard } from './serve-dashboard.ts'

const script = 'console.log("a page")\n'.repeat(100)

const pages = [
  { path: '/sign-in', title: null, needsUser: false, files: ['assets/sign-in.js'] },
  { path: '/$organization/contacts/$contactId', title: null, needsUser: true, files: ['assets/contact.js'] },
  {
    path: '/$organization/contacts/deleted',
    title: 'Old & deleted',
    needsUser: true,
    files: ['assets/a.js', 'assets/deleted.js', 'assets/deleted.css'],
  },
]

async function served(built = true): Promise<FastifyInstance> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-dashboard-'))
  const app = fastify()
  app.setErrorHandler(createErrorHandler(({ id }) => commonHeaders(id)))
  onTestFinished(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })
  if (built) {
    await mkdir(join(folder, 'assets'))
    await writeFile(
      join(folder, 'index.html'),
      '<head><meta property="csp-nonce" nonce="__NONCE__"><script nonce="__NONCE__" src="/app/assets/a.js"></script><script src="/app/first-paint.js"></script></head><body><p><!-- title --></p>',
    )
    await writeFile(join(folder, 'pages.json'), JSON.stringify(pages))
    await writeFile(join(folder, 'first-paint.js'), '// colors')
    await writeFile(join(folder, 'assets/a.js'), script)
    await writeFile(join(folder, 'assets/a.js.gz'), gzipSync(script))
  }
  await serveDashboard(app, folder, 'https://files.example.com')
  return app
}

describe('/app/', () => {
  test('serves the page for every path, with a Content-Security-Policy and a nonce per response', async () => {
    const app = await served()
    const [first, second] = [await app.inject('/app/'), await app.inject('/app/acme/knowledge?tab=a')]
    const nonces = [first, second].map(({ body, headers, statusCode }) => {
      expect(statusCode).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? ''
      expect(headers['content-security-policy']).toContain(`style-src 'self' 'nonce-${nonce}'`)
      expect(headers['content-security-policy']).toContain("script-src 'self';")
      expect(headers['content-security-policy']).toContain("connect-src 'self' https://files.example.com;")
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(body).not.toContain('__NONCE__')
      expect(body.split(nonce)).toHaveLength(3)
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
    expect(nonces[0]).toMatch(/^[\w+/=]{22,}$/)
  })

  test('names the files of the page that the URL opens, and asks early who is signed in', async () => {
    const app = await served()
    const linked = async (path: string): Promise<string[]> =>
      [...(await app.inject(path)).body.matchAll(/<link rel="([^"]+)"[^>]* crossorigin href="([^"]+)">/g)].map(
        ([, rel, href]) => `${rel} ${href}`,
      )
    expect(await linked('/app/acme/contacts/deleted?q=a#b')).toEqual([
      'preload /v1/me',
      'modulepreload /app/assets/deleted.js',
      'preload /app/assets/deleted.css',
    ])
    expect(await linked('/app/acme/contacts/ctc_1')).toEqual(['preload /v1/me', 'modulepreload /app/assets/contact.js'])
    expect(await linked('/app/sign-in')).toEqual(['modulepreload /app/assets/sign-in.js'])
    expect(await linked('/app/acme/unknown')).toEqual([])
    expect((await app.inject('/app/acme/contacts/deleted')).body).toContain('<body class="framed"><p>Old &amp; deleted</p>')
    expect((await app.inject('/app/acme/contacts/ctc_1')).body).toContain('<body class="framed"><p></p>')
    expect((await app.inject('/app/sign-in')).body).toContain('<body>')
  })

  test('/ and /app redirect there', async () => {
    const app = await served()
    for (const path of ['/', '/app']) {
      const { statusCode, headers } = await app.inject(path)
      expect([statusCode, headers.location]).toEqual([302, '/app/'])
    }
  })

  test('assets are immutable, and compressed if the client accepts it', async () => {
    const app = await served()
    const plain = await app.inject('/app/assets/a.js')
    expect(plain.body).toBe(script)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    const small = await app.inject({ url: '/app/assets/a.js', headers: { 'accept-encoding': 'gzip' } })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.headers['content-type']).toContain('javascript')
    expect(gunzipSync(small.rawPayload).toString()).toBe(script)
  })

  test('the page names the script of the first paint by its content', async () => {
    const app = await served()
    const url = /src="(\/app\/first-paint\.js[^"]*)"/.exec((await app.inject('/app/acme')).body)?.[1] ?? ''
    expect(url).toMatch(/\?v=[\da-f]{16}$/)
    const named = await app.inject(url)
    expect([named.body, named.headers['cache-control']]).toEqual(['// colors', 'public, max-age=31536000, immutable'])
    // A page of another version names another hash.
    for (const other of ['/app/first-paint.js', '/app/first-paint.js?v=0123456789abcdef']) {
      const { body, headers } = await app.inject(other)
      expect([body, headers['cache-control']]).toEqual(['// colors', 'no-cache'])
    }
  })

  test('a missing asset is 404, and paths outside the folder are not served', async () => {
    const app = await served()
    for (const path of ['/app/assets/old.js', '/app/assets/..%2findex.html']) {
      const { statusCode, body } = await app.inject(path)
      expect([path, statusCode]).toEqual([path, 404])
      expect(body).not.toContain('__NONCE__')
    }
  })

  test('answers HEAD', async () => {
    const app = await served()
    for (const url of ['/app/acme', '/app/assets/a.js']) {
      const { statusCode, body } = await app.inject({ method: 'HEAD', url })
      expect([statusCode, body]).toEqual([200, ''])
    }
  })

  test('answers 503 without a build', async () => {
    const { statusCode, body } = await (await served(false)).inject('/app/')
    expect(statusCode).toBe(503)
    expect(body).toContain('npm run build')
  })
})
