import type { Preview, SourceChunk } from '@groundwork/api'
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { newBase, settled, upload } from '../../testing/sources.ts'
import { createExtractor } from '../extract/extractor.ts'
import { asRequestError } from './preview-document.ts'
import { createPreviewer } from './previewer.ts'

const site = await startSite()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { app, organization, database } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await organization()
const base = await newBase(owner, { chunkingStrategy: 'markdown', chunkSize: 64 })
const origin = `http://${site.host}`

const preview = (body: object, headers: Record<string, string> = {}) => owner.call('POST', `/v1/bases/${base}/preview`, body, headers)
const markdown = ['# Hire', 'A day costs twelve.', '## Deposit', 'Leave thirty at the desk and have it back in the evening.'].join('\n\n')

/** A page that answers when it is told to, at the latest when the test ends; `asked` tells that it was asked for. */
function heldPage(path: string): { asked: Promise<void>; answer: () => void } {
  let held: ServerResponse | undefined
  const asked = new Promise<void>((reached) => {
    site.pages.set(path, (response) => {
      held = response
      reached()
    })
  })
  const answer = (): void => {
    if (held?.headersSent === false) held.writeHead(200, { 'content-type': 'text/markdown' }).end(markdown)
  }
  onTestFinished(answer)
  return { asked, answer }
}

describe('a preview', () => {
  it('shows the chunks of a source', async () => {
    const { status, body } = await preview({ text: markdown, fileName: 'hire.md', ragSettingsOverride: { chunkingStrategy: 'sentence' } })
    expect([status, body]).toMatchObject([
      200,
      { mediaType: 'text/markdown', title: 'Hire', canonicalUrl: null, language: 'en', pages: null, bytes: Buffer.byteLength(markdown) },
    ])
    const storageUrl = await upload(app, owner, Buffer.from(markdown), 'hire.md')
    const added = { name: 'Hire', type: 'file', storageUrl, ragSettingsOverride: { chunkingStrategy: 'sentence' } }
    const source = await settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources`, added)).body)
    const { data } = (await owner.call('GET', `/v1/bases/${base}/sources/${source.id}/chunks`)).body
    expect(body.chunks).toEqual(data.map(({ id: _id, ...chunk }: SourceChunk) => chunk))
    expect([body.chunksCount, body.title]).toEqual([source.chunksCount, source.title])
  })

  it("uses the knowledge base's settings by default, and returns at most the requested chunks", async () => {
    const text = Array.from(
      { length: 30 },
      (_, n) => `# Part ${n}\n\n${'The bell is rung at every full hour of the day. '.repeat(5)}`,
    ).join('\n\n')
    const [whole, few] = [await preview({ text }), await preview({ text, limit: 3 })]
    expect(whole.body.chunks).toHaveLength(20)
    expect(whole.body.chunksCount).toBeGreaterThan(20)
    expect(few.body).toEqual({ ...whole.body, chunks: whole.body.chunks.slice(0, 3) })
    const large = await preview({ text, ragSettingsOverride: { chunkingStrategy: 'fixed', chunkSize: 2048, chunkOverlap: 0 } })
    expect(large.body.chunksCount).toBeLessThan(whole.body.chunksCount)
    expect(large.body.characters).toBe(whole.body.characters)
  })

  it('accepts a URL, and returns the fields of citations', async () => {
    site.pages.set('/old', (response) => response.writeHead(302, { location: '/hire' }).end())
    const html =
      '<html><head><title>Hire</title><link rel="canonical" href="/hire/bicycles"></head><body><p>A day costs twelve.</p></body></html>'
    site.pages.set('/hire', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
    expect(await preview({ url: `${origin}/old` })).toMatchObject({
      status: 200,
      body: { mediaType: 'text/html', title: 'Hire', canonicalUrl: `${origin}/hire/bicycles`, bytes: html.length, chunksCount: 1 },
    })
  })

  it('returns the outline of the document', async () => {
    const text = `${markdown}\n\n| Item | Day |\n| --- | --- |\n| Ramp | 12 |\n| Cart | 9 |\n`
    const { body } = await preview({ text, fileName: 'hire.md' })
    expect(body.outline).toEqual([
      { kind: 'heading', title: 'Hire', level: 1, rows: null, page: null, start: 0 },
      { kind: 'heading', title: 'Deposit', level: 2, rows: null, page: null, start: text.indexOf('Deposit') - 5 },
      { kind: 'table', title: 'Item, Day', level: null, rows: 2, page: null, start: text.indexOf('| Item') - 5 },
    ])
  })

  it('follows meta refreshes with cookies, as redirects', async () => {
    const refresh = (to: string) => `<meta http-equiv="refresh" content="0; url=${to}"><p>You are being redirected.</p>`
    const html = { 'content-type': 'text/html' }
    site.pages.set('/enter', (response) => response.writeHead(200, { ...html, 'set-cookie': 'seen=1; Path=/' }).end(refresh('/inside')))
    site.pages.set('/inside', (response, { headers }) => {
      if (headers.cookie === 'seen=1') response.writeHead(200, html).end('<h1>Inside</h1><p>A day costs twelve.</p>')
      else response.writeHead(302, { location: '/enter' }).end()
    })
    site.pages.set('/circle', (response) => response.writeHead(200, html).end(refresh('/circle?again')))
    site.pages.set('/circle?again', (response) => response.writeHead(302, { location: '/circle' }).end())
    expect((await preview({ url: `${origin}/inside` })).body).toMatchObject({ title: 'Inside', canonicalUrl: `${origin}/inside` })
    expect((await preview({ url: `${origin}/circle` })).body).toMatchObject({ error: { issues: [{ code: 'fetch_failed' }] } })
    expect(site.requests.filter(({ path }) => path.startsWith('/circle')).length).toBeLessThanOrEqual(12)
  })

  it('refuses a sign-in form that a redirect leads to', async () => {
    const form = '<h1>Welcome back</h1><form><input name="user"><input type="password"><button>Sign in</button></form>'
    site.pages.set('/account/orders', (response) => response.writeHead(302, { location: '/login?next=/account/orders' }).end())
    site.pages.set('/login?next=/account/orders', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(form))
    site.pages.set('/login', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(form))
    const { status, body } = await preview({ url: `${origin}/account/orders` })
    expect([status, body]).toMatchObject([422, { error: { issues: [{ code: 'fetch_failed' }] } }])
    expect(body.error.message).toContain('sign-in page')
    expect((await preview({ url: `${origin}/login` })).body).toMatchObject({ title: 'Welcome back' })
  })

  it('stores nothing, and leaves an upload unchanged', async () => {
    const rows = async (): Promise<unknown> => {
      const { rows: counts } = await database.pool.query(`
        select (select count(*) from source) as sources, (select count(*) from document) as documents, (select count(*) from chunk) as chunks,
          (select count(*) from event) as events, (select count(*) from audit_entry) as entries`)
      return counts
    }
    const storageUrl = await upload(app, owner, Buffer.from(markdown), 'hire.md')
    const before = await rows()
    expect((await preview({ storageUrl })).body).toMatchObject({ title: 'Hire', mediaType: 'text/markdown' })
    expect(await rows()).toEqual(before)
    expect((await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })).status).toBe(201)
  })

  it.each<[code: string, field: string, body: () => object | Promise<object>]>([
    ['empty_content', 'text', () => ({ text: ' \n ' })],
    [
      'unsupported_type',
      'storageUrl',
      async () => ({ storageUrl: await upload(app, owner, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1])) }),
    ],
    ['corrupt_file', 'storageUrl', async () => ({ storageUrl: await upload(app, owner, Buffer.from('%PDF-1.7\nnothing of it')) })],
    ['not_found', 'url', () => ({ url: `${origin}/missing` })],
    ['blocked_address', 'url', () => ({ url: 'http://127.0.0.2/' })],
    ['fetch_failed', 'url', () => ({ url: `${origin}/broken` })],
    ['too_large', 'url', () => ({ url: `${origin}/huge` })],
  ])('is refused with the error code of a source: %s', async (code, field, body) => {
    site.pages.set('/broken', (response) => response.writeHead(500).end())
    site.pages.set('/huge', (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(20_000_001)))
    const answer = await preview(await body())
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'validation_error', field, issues: [{ field, code }] } } })
  })

  it('names an internal error as such, and is repeatable only if the parser did not start', () => {
    const failure = new SourceError('internal', 'The file could not be read: its parser ended unexpectedly.')
    expect(asRequestError(failure, 'storageUrl')).toMatchObject({
      code: 'validation_error',
      message: `storageUrl cannot be read because of an internal error: ${failure.message}`,
      issues: [{ field: 'storageUrl', code: 'internal' }],
    })
    const notStarted = new SourceError('internal', 'The parser process did not start.', { retryable: true })
    expect(asRequestError(notStarted, 'text')).toMatchObject({ code: 'unavailable' })
  })

  it.each([
    ['nothing to read', {}, 'text'],
    ['two things to read', { text: 'a', url: 'https://example.com/' }, 'text'],
    ['a name without a text', { url: 'https://example.com/', fileName: 'a.md' }, 'fileName'],
    ['no web address', { url: 'file:///etc/passwd' }, 'url'],
    ['settings of retrieval', { text: 'a', ragSettingsOverride: { topK: 1 } }, 'ragSettingsOverride.topK'],
    [
      'settings that contradict',
      { text: 'a', ragSettingsOverride: { chunkSize: 64, chunkOverlap: 32 } },
      'ragSettingsOverride.chunkOverlap',
    ],
    ['too many chunks', { text: 'a', limit: 51 }, 'limit'],
  ])('is refused for %s', async (_case, body, field) => {
    expect(await preview(body)).toMatchObject({ status: 422, body: { error: { field } } })
  })

  it('reads no upload of another organization', async () => {
    const storageUrl = await upload(app, await organization(), Buffer.from(markdown))
    expect(await preview({ storageUrl })).toMatchObject({ status: 422, body: { error: { field: 'storageUrl' } } })
  })
})

describe('during previews', () => {
  it('at most two run concurrently, and others get Retry-After', async () => {
    const pages = [heldPage('/first'), heldPage('/second')]
    const under = ['/first', '/second'].map((path) => preview({ url: origin + path }))
    await Promise.all(pages.map(({ asked }) => asked))
    const third = await preview({ text: 'One too many.' })
    expect([third.status, third.body.error.code, third.headers['retry-after']]).toEqual([429, 'rate_limited', '2'])
    for (const { answer } of pages) answer()
    expect((await Promise.all(under)).map(({ status }) => status)).toEqual([200, 200])
    expect((await preview({ text: 'There is room again.' })).status).toBe(200)
  })

  it('no transaction is open, with an Idempotency-Key either, and the answer is not stored', async () => {
    const page = heldPage('/held')
    const key = { 'idempotency-key': 'preview-1' }
    const first = preview({ url: `${origin}/held` }, key)
    await page.asked
    const { rows } = await database.pool.query(
      `select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`,
    )
    expect(rows).toEqual([])
    // On the embedded engine, whose one session an open transaction would keep, this would not be answered.
    expect((await owner.call('POST', '/v1/contacts', { email: 'a@example.com' })).status).toBe(201)
    page.answer()
    const { status, body } = await first
    expect([status, (body as Preview).title]).toEqual([200, 'Hire'])
    site.pages.delete('/held')
    const again = await preview({ url: `${origin}/held` }, key)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([422, undefined])
  })

  it('a timeout frees the slot', async () => {
    const asked = vi.fn<() => void>()
    const waiting = {
      fetch: (_url: unknown, { signal }: { signal?: AbortSignal }) =>
        new Promise<never>((_, reject) => {
          asked()
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }
    const previewer = createPreviewer({ extractor: createExtractor({ workers: 1 }), outbound: waiting, together: 1, timeoutMs: 20 })
    const of = {
      origin: { url: 'https://example.com/' },
      chunking: { strategy: 'semantic', size: 512, overlap: 64 },
      language: null,
    } as const
    for (let time = 0; time < 2; time += 1) await expect(previewer.preview(of)).rejects.toMatchObject({ code: 'timeout' })
    expect(asked).toHaveBeenCalledTimes(2)
    await previewer.close()
  })
})
