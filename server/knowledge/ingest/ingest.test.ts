import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { SourceError } from '../../lib/errors.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { openBundledEmbedder } from '../embed/bundled.ts'
import type { Embedder } from '../embed/embedder.ts'

const examples = join(import.meta.dirname, '../../../examples')

/** Replies of the page server by path; other paths are 404. */
const pages = new Map<string, { status?: number; type?: string; body: string | Buffer }>()
const server = createServer((request, response) => {
  const page = pages.get(request.url ?? '')
  response.writeHead(page === undefined ? 404 : (page.status ?? 200), { 'content-type': page?.type ?? 'text/html' }).end(page?.body ?? 'no')
}).listen(0, '127.0.0.1')
await new Promise((listening) => server.once('listening', listening))
afterAll(() => new Promise((closed) => server.close(closed)))
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`

const bundled = await openBundledEmbedder({ processes: 1 })
/** Actions of the next calls to embed passages, before the bundled model runs. */
let beforeEmbedding: () => Promise<void> = async () => undefined
const embedder: Embedder = {
  ...bundled,
  async embed(texts, purpose, signal) {
    if (purpose === 'passage') await beforeEmbedding()
    return bundled.embed(texts, purpose, signal)
  },
}

const outbound = createOutbound({ allowHosts: [host], userAgent: 'test', resolve: async () => [{ address: '10.1.1.1', family: 4 }] })
const { app, organization, database, platform } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()

async function baseOf({ call }: Caller, ragSettings = {}): Promise<string> {
  return (await call('POST', '/v1/bases', { name: 'B', ragSettings })).body.id
}

async function addFile({ call }: Caller, base: string, bytes: Buffer, fileName: string): Promise<string> {
  const { body } = await call('POST', '/v1/uploads', { fileName, sizeBytes: bytes.length })
  await app.inject({ method: 'PUT', url: new URL(body.uploadUrl).pathname, headers: body.headers, payload: bytes })
  return (await call('POST', `/v1/bases/${base}/sources`, { name: fileName, type: 'file', storageUrl: body.storageUrl })).body.id
}

const addPage = async ({ call }: Caller, base: string, url: string): Promise<string> =>
  (await call('POST', `/v1/bases/${base}/sources`, { name: url, type: 'url', url })).body.id

async function settled({ call }: Caller, base: string, id: string) {
  for (;;) {
    const { body } = await call('GET', `/v1/bases/${base}/sources/${id}`)
    if (body.status !== 'processing') return body
    await new Promise((next) => setTimeout(next, 30))
  }
}

const search = async ({ call }: Caller, base: string, query: string, options = {}) =>
  (await call('POST', `/v1/bases/${base}/search`, { query, ...options })).body.data

const rowsOf = async (sourceId: string) => {
  const id = sourceId.slice(4)
  const count = async (text: string): Promise<number> => (await database.pool.query<{ n: number }>(text, [id])).rows[0]?.n ?? -1
  return {
    chunks: await count('select count(*) as n from chunk where source_id = $1'),
    vectors: await count(
      'select count(*) as n from chunk_embedding where generation in (select generation from chunk where source_id = $1)',
    ),
    generations: await count('select count(*) as n from index_generation where source_id = $1'),
  }
}

describe('the examples', () => {
  it.each(['handbook.pdf', 'warranty.docx', 'price-list.csv', 'faq.md', 'opening-hours.html', 'rental-terms.txt'])(
    '%s answers its questions with the right passage and page',
    async (file) => {
      const base = await baseOf(owner)
      const id = await addFile(owner, base, await readFile(join(examples, file)), file)
      const source = await settled(owner, base, id)
      expect(source).toMatchObject({ status: 'completed', stage: 'done', error: null, errorCode: null, embeddingDimensions: 384 })
      expect(source.progress).toMatchObject({ done: source.chunksCount, total: source.chunksCount, unit: 'chunks' })
      expect(await rowsOf(id)).toEqual({ chunks: source.chunksCount, vectors: source.chunksCount, generations: 1 })
      const lines = (await readFile(join(examples, 'questions.jsonl'), 'utf8')).split('\n').filter((line) => line !== '')
      const questions = lines.map((line) => JSON.parse(line)).filter((question) => question.file === file)
      expect(questions.length).toBeGreaterThan(0)
      for (const question of questions) {
        const hits = await search(owner, base, question.question, { topK: 3 })
        const flat = (text: string): string => text.replace(/\s+/g, ' ')
        const found = hits.find((hit: { text: string }) => flat(hit.text).includes(flat(question.contains)))
        expect([question.question, found !== undefined]).toEqual([question.question, true])
        if (question.page !== undefined) {
          expect(found.citation.page).toBeLessThanOrEqual(question.page)
          expect(found.citation.pageEnd).toBeGreaterThanOrEqual(question.page)
        }
      }
    },
  )
})

describe('a url source', () => {
  it('is fetched, extracted and searchable', async () => {
    pages.set('/hours', {
      body: '<html lang="en"><title>Hours</title><main><h1>Hours</h1><p>On Sundays the desk opens at eleven in the morning.</p></main>',
    })
    const base = await baseOf(owner)
    const source = await settled(owner, base, await addPage(owner, base, `http://${host}/hours`))
    expect(source).toMatchObject({ status: 'completed', mediaType: 'text/html' })
    expect((await search(owner, base, 'When does it open on Sunday?'))[0]).toMatchObject({
      text: expect.stringContaining('eleven'),
      url: `http://${host}/hours`,
    })
  })

  it.each([
    ['a page that is not there', () => `http://${host}/missing`, 'not_found'],
    ['a name of a private address', () => 'http://private.example/', 'blocked_address'],
    ['a page without text', () => `http://${host}/empty`, 'empty_content'],
    ['bytes of no known kind', () => `http://${host}/binary`, 'unsupported_type'],
    ['a broken PDF', () => `http://${host}/broken.pdf`, 'corrupt_file'],
  ])('fails with a reason for %s', async (_what, url, errorCode) => {
    pages.set('/empty', { body: '<html><body><script>1</script></body></html>' })
    pages.set('/binary', { body: Buffer.from([0, 1, 2, 3, 250, 251, 0, 0, 7, 7, 200, 0]), type: 'application/octet-stream' })
    pages.set('/broken.pdf', { body: '%PDF-1.7\n1 0 obj <<', type: 'application/pdf' })
    const base = await baseOf(owner)
    const source = await settled(owner, base, await addPage(owner, base, url()))
    expect(source).toMatchObject({ status: 'failed', errorCode, error: expect.stringMatching(/\w{3}/), chunksCount: 0 })
  })

  it('that is read and has no text has the media type without its charset', async () => {
    pages.set('/blank', { body: '<html><body></body></html>', type: 'Text/HTML; charset=utf-8' })
    const base = await baseOf(owner)
    const source = await settled(owner, base, await addPage(owner, base, `http://${host}/blank`))
    expect(source).toMatchObject({ status: 'failed', errorCode: 'empty_content', mediaType: 'text/html' })
  })

  it('is retried after a temporary failure', async () => {
    pages.set('/flaky', { status: 503, body: 'later' })
    const base = await baseOf(owner)
    const id = await addPage(owner, base, `http://${host}/flaky`)
    setTimeout(() => pages.set('/flaky', { body: '<p>The pump stands behind the shed, next to the bicycle rack.</p>' }), 500)
    expect(await settled(owner, base, id)).toMatchObject({ status: 'completed' })
  })

  it('completes by retry when the page exists', async () => {
    const base = await baseOf(owner)
    const id = await addPage(owner, base, `http://${host}/later`)
    expect(await settled(owner, base, id)).toMatchObject({ status: 'failed', errorCode: 'not_found' })
    pages.set('/later', { body: '<p>The workshop moved to the old customs house on the quay.</p>' })
    expect(await owner.call('POST', `/v1/bases/${base}/sources/${id}/retry`)).toMatchObject({
      status: 200,
      body: { status: 'processing', error: null },
    })
    expect(await settled(owner, base, id)).toMatchObject({ status: 'completed', errorCode: null })
  })
})

describe('an embedder that fails', () => {
  it('is retried, then the source fails with embedding_failed and none of its content is kept', async () => {
    const base = await baseOf(owner)
    beforeEmbedding = () => Promise.reject(new SourceError('embedding_failed', 'The embedding endpoint refused the key.'))
    const id = await addFile(owner, base, Buffer.from('Some text about pumps.'), 'a.txt')
    const source = await settled(owner, base, id)
    beforeEmbedding = async () => undefined
    expect(source).toMatchObject({ status: 'failed', errorCode: 'embedding_failed', error: 'The embedding endpoint refused the key.' })
    expect(await rowsOf(id)).toEqual({ chunks: 0, vectors: 0, generations: 0 })
  })
})

describe('a source that is deleted during processing', () => {
  it('leaves no row, no file and no search result', async () => {
    const base = await baseOf(owner, { chunkingStrategy: 'fixed', chunkSize: 64, chunkOverlap: 0 })
    let release = (): void => undefined
    const reached = new Promise<void>((entered) => {
      let batches = 0
      beforeEmbedding = () => {
        batches += 1
        if (batches < 2) return Promise.resolve()
        entered()
        return new Promise((resolve) => (release = resolve))
      }
    })
    const sentence = 'is lent against a deposit of fifty euros, which is paid back when it comes home in one piece, '
    const text = Array.from({ length: 300 }, (_, n) => `E-bike ${n} ${sentence.repeat(3)}and dry.`).join('\n\n')
    const id = await addFile(owner, base, Buffer.from(text), 'deposits.txt')
    await reached
    expect((await owner.call('DELETE', `/v1/bases/${base}/sources/${id}`)).status).toBe(204)
    expect(await search(owner, base, 'deposit')).toEqual([])
    beforeEmbedding = async () => undefined
    release()
    // The next source is processed after the late writer had every chance to write.
    await settled(owner, base, await addFile(owner, base, Buffer.from('Nothing of the former document.'), 'b.txt'))
    expect(await rowsOf(id)).toEqual({ chunks: 0, vectors: 0, generations: 0 })
    const hits = await search(owner, base, 'deposit for an e-bike', { topK: 100 })
    expect(hits.every((hit: { sourceName: string }) => hit.sourceName === 'b.txt')).toBe(true)
  })

  it('loses its file', async () => {
    const base = await baseOf(owner)
    const id = await addFile(owner, base, Buffer.from('A text that is deleted with its file.'), 'c.txt')
    await settled(owner, base, id)
    const { rows } = await database.pool.query<{ original_key: string; content_key: string }>(
      'select original_key, content_key from document where source_id = $1',
      [id.slice(4)],
    )
    const keys = Object.values(rows[0] ?? {})
    expect(await Promise.all(keys.map((key) => platform.storage.exists(key)))).toEqual([true, true])
    await owner.call('DELETE', `/v1/bases/${base}/sources/${id}`)
    const there = async (): Promise<boolean> => (await Promise.all(keys.map((key) => platform.storage.exists(key)))).includes(true)
    await vi.waitUntil(async () => !(await there()), { timeout: 120_000 })
    expect(await Promise.all(keys.map((key) => platform.storage.exists(key)))).toEqual([false, false])
  })
})

describe('search', () => {
  it('uses only full-text search if the query cannot be embedded, and reports it', async () => {
    const base = await baseOf(owner)
    await settled(owner, base, await addFile(owner, base, Buffer.from('The torque of a pedal axle is 35 Nm.'), 'torque.txt'))
    const broken = {
      ...platform,
      embedder: { ...embedder, embed: () => Promise.reject(new Error('down')) },
      organizationId: owner.organizationId,
    }
    const { searchBase } = await import('../search/search-base.ts')
    const reply = await searchBase(broken, base.slice(3), { query: 'torque pedal axle' })
    expect(reply.degraded).toEqual(['vector'])
    expect(reply.data[0]).toMatchObject({ text: expect.stringContaining('35 Nm'), scores: { vector: null } })
    await expect(searchBase(broken, base.slice(3), { query: 'torque', hybridSearch: false })).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('reports its duration, and refuses invalid requests', async () => {
    const base = await baseOf(owner)
    const { status, body, headers } = await owner.call('POST', `/v1/bases/${base}/search`, { query: 'anything' })
    expect([status, body.data, body.degraded]).toEqual([200, [], []])
    expect(headers['server-timing']).toMatch(
      /^embed;dur=[\d.]+, search;dur=[\d.]+, rerank;dur=[\d.]+, assemble;dur=[\d.]+, total;dur=[\d.]+$/,
    )
    for (const [wrong, field] of [
      [{}, 'query'],
      [{ query: '' }, 'query'],
      [{ query: 'x', topK: 101 }, 'topK'],
      [{ query: 'x', similarityThreshold: 2 }, 'similarityThreshold'],
      [{ query: 'x', sourceIds: ['kb_1'] }, 'sourceIds.0'],
      [{ query: 'x', sorted: true }, 'sorted'],
    ] as const) {
      expect(await owner.call('POST', `/v1/bases/${base}/search`, wrong)).toMatchObject({ status: 422, body: { error: { field } } })
    }
  })
})
