import type { Source } from '@groundwork/api'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addPage, newBase, settled, upload } from '../../testing/sources.ts'

const site = await startSite()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { app, organization, platform } = await testApp({ embedder: letterEmbedder(), worker: { outbound } })
const owner = await organization()
const base = await newBase(owner)
await app.listen({ host: '127.0.0.1', port: 0 })
const api = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const at = ({ id }: Pick<Source, 'id'>, verb: string): string => `/v1/bases/${base}/sources/${id}${verb}`
const get = (source: Source, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> =>
  fetch(api + at(source, '/original'), { method, headers: { authorization: `Bearer ${owner.token}`, ...headers } })

async function addFile(bytes: Buffer, fileName: string): Promise<Source> {
  const storageUrl = await upload(app, owner, bytes, fileName)
  return settled(owner, (await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })).body)
}

const hostile = '<!doctype html><html><body><p>The gate closes at nine.</p><script>alert(1)</script></body></html>'

describe('the original of a source', () => {
  it('is the uploaded file, byte for byte, under its name and the type found by content', async () => {
    const bytes = Buffer.from(hostile)
    const source = await addFile(bytes, 'Öffnung "1".bin')
    const answer = await get(source)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="_ffnung _1_.bin"; filename*=UTF-8''%C3%96ffnung%20%221%22.bin`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: `"${source.contentHash}"`,
    })
    const head = await get(source, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(bytes.length), ''])
  })

  it('is the response of the URL, in its charset', async () => {
    const bytes = Buffer.from('Grüße aus dem Café: geöffnet bis zwölf Uhr.', 'latin1')
    site.pages.set('/caf%C3%A9', (response) => response.writeHead(200, { 'content-type': 'text/plain; charset=iso-8859-1' }).end(bytes))
    const answer = await get(await settled(owner, await addPage(owner, base, `http://${site.host}/caf%C3%A9`)))
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=iso-8859-1')
    expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''caf%C3%A9.txt`)
  })

  it('supports range and conditional requests', async () => {
    const source = await addFile(Buffer.from('0123456789 is what the counter shows.'), 'a.txt')
    const part = await get(source, { range: 'bytes=2-4' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/37', '234'])
    const etag = part.headers.get('etag') ?? ''
    const same = await get(source, { 'if-none-match': etag })
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, ''])
    expect((await get(source, { range: 'bytes=-8', 'if-range': etag })).status).toBe(206)
    expect((await get(source, { range: 'bytes=-8', 'if-range': '"other"' })).status).toBe(200)
    const beyond = await get(source, { range: 'bytes=37-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */37'])
    expect(await beyond.json()).toMatchObject({ error: { code: 'range_not_satisfiable', field: 'Range' } })
  })

  it('is 404 before it is fetched, for a site, and after the source is deleted', async () => {
    site.pages.set('/held', () => undefined)
    const fetching = await addPage(owner, base, `http://${site.host}/held`)
    const crawling = await addPage(owner, base, `http://${site.host}/`, { type: 'scrape' })
    const file = await addFile(Buffer.from('Here for a moment.'), 'a.txt')
    expect((await get(file)).status).toBe(200)
    await owner.call('DELETE', at(file, ''))
    for (const [source, message] of [
      [fetching, 'no fetched file yet'],
      [crawling, 'no original file'],
      [file, 'no such source'],
    ] as const) {
      const answer = await get(source)
      const { error } = (await answer.json()) as { error: { code: string; message: string } }
      expect([answer.status, error.code, error.message]).toEqual([404, 'not_found', expect.stringContaining(message)])
    }
    for (const source of [fetching, crawling]) await owner.call('DELETE', at(source, ''))
  })

  it('is 503 with Retry-After if its file is missing', async () => {
    const source = await addFile(Buffer.from('Replaced in this very moment.'), 'a.txt')
    const { rows } = await platform.db.pool.query<{ original_key: string; content_key: string }>(
      'select original_key, content_key from document where source_id = $1',
      [source.id.slice(4)],
    )
    await platform.storage.delete(rows[0]?.original_key ?? '')
    await platform.storage.delete(rows[0]?.content_key ?? '')
    for (const verb of ['/original', '/content']) {
      const answer = await owner.call('GET', at(source, verb))
      expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    }
  })
})

describe('the text of a source', () => {
  it('is JSON, or plain text if the client prefers it', async () => {
    const source = await addFile(Buffer.from('# Prices\n\nA day costs twelve.'), 'a.md')
    const json = await owner.call('GET', at(source, '/content'))
    expect(json.headers).toMatchObject({ vary: 'Accept', 'content-type': 'application/json; charset=utf-8' })
    expect(json.body).toMatchObject({ url: null, mediaType: 'text/markdown', text: 'Prices\n\nA day costs twelve.' })
    const plain = await owner.call('GET', at(source, '/content'), undefined, { accept: 'text/plain' })
    expect(plain).toMatchObject({ status: 200, body: json.body.text })
    expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8')
  })

  it('is separate for each page of a site', async () => {
    for (const [path, text] of [
      ['/', 'The ferry leaves at seven from the northern pier. <a href="/fares">Fares</a>'],
      ['/fares', 'A ticket costs four, and children travel for nothing at all.'],
    ]) {
      const html = `<html><head><title>Ferry ${path}</title></head><body><main><p>${text}</p></main></body></html>`
      site.pages.set(path ?? '', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(html))
    }
    site.pages.set('/robots.txt', (response) => response.end('User-agent: *\nCrawl-delay: 0'))
    const source = await settled(owner, await addPage(owner, base, `http://${site.host}/`, { type: 'scrape' }))
    const none = await owner.call('GET', at(source, '/content'))
    expect([none.status, none.body.error.message]).toEqual([404, expect.stringContaining('/pages/{pageId}/content')])
    const { body } = await owner.call('GET', at(source, '/pages'))
    const fares = body.data.find(({ url }: { url: string }) => url.endsWith('/fares'))
    const page = await owner.call('GET', at(source, `/pages/${fares.id}/content`))
    expect(page).toMatchObject({
      status: 200,
      body: { title: 'Ferry /fares', url: fares.url, mediaType: 'text/html', text: expect.stringContaining('A ticket costs four') },
    })
    const plain = await owner.call('GET', at(source, `/pages/${fares.id}/content`), undefined, { accept: 'text/plain' })
    expect(plain.body).toBe(page.body.text)
    await platform.db.pool.query('update source_page set content_key = null where id = $1', [fares.id.slice(4)])
    expect((await owner.call('GET', at(source, `/pages/${fares.id}/content`))).status).toBe(404)
  })
})
