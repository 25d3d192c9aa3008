import type { Source } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addPage, newBase, settled, upload } from '../../testing/sources.ts'

const site = await startSite()
const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test' })
const { app, organization, database, platform } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()
const base = await newBase(owner, { chunkingStrategy: 'markdown', chunkSize: 64 })

let pages = 0
/** Serves a page with its ETag, and 304 for requests with that ETag. */
function newPage(text: string) {
  const path = `/${(pages += 1)}`
  const page = {
    text,
    etag: '"1"',
    status: 200,
    url: `http://${site.host}${path}`,
    requests: () => site.requests.filter((each) => each.path === path),
  }
  site.pages.set(path, (response, { headers }) => {
    if (page.status === 200 && headers['if-none-match'] === page.etag) return response.writeHead(304).end()
    return response.writeHead(page.status, { 'content-type': 'text/markdown', etag: page.etag }).end(page.text)
  })
  return page
}

async function sync(source: Source): Promise<Source> {
  const answer = await owner.call('POST', `/v1/bases/${base}/sources/${source.id}/sync`)
  expect(answer).toMatchObject({ status: 202, body: { id: source.id, status: 'processing', stage: 'queued' } })
  return settled(owner, source)
}

const search = async (query: string): Promise<string[]> => {
  const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query, topK: 3 })
  return body.data.map(({ text }: { text: string }) => text)
}

const files = async (source: Source): Promise<string[]> => {
  const { rows } = await database.pool.query<{ key: string }>(
    `select key from document cross join unnest(array[original_key, content_key]) as key where source_id = $1 and key is not null order by 1`,
    [source.id.slice(4)],
  )
  return rows.map(({ key }) => key)
}

describe('sync', () => {
  it('of a page that answers 304 only records the time', async () => {
    const page = newPage('# Pumps\n\nThe hand pump hangs behind the door.')
    const first = await settled(owner, await addPage(owner, base, page.url))
    const kept = await files(first)
    embedder.passages.length = 0
    const again = await sync(first)
    expect(page.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"'])
    const noted = { lastSyncedAt: expect.any(String), updatedAt: expect.any(String), progress: expect.anything() }
    expect(again).toEqual({ ...first, ...noted })
    expect(Date.parse(again.lastSyncedAt ?? '')).toBeGreaterThan(Date.parse(first.lastSyncedAt ?? ''))
    expect(embedder.passages).toEqual([])
    expect(await files(first)).toEqual(kept)
  })

  it('of a page with the same bytes keeps the index and stores the new ETag', async () => {
    const page = newPage('# Tyres\n\nFour bar in front, five behind.')
    const first = await settled(owner, await addPage(owner, base, page.url))
    const { rows: before } = await database.pool.query('select id from chunk where source_id = $1', [first.id.slice(4)])
    page.etag = '"2"'
    await sync(first)
    await sync(first)
    expect(page.requests().map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"2"'])
    expect((await database.pool.query('select id from chunk where source_id = $1', [first.id.slice(4)])).rows).toEqual(before)
  })

  it('of a changed page embeds new text while the previous index serves searches', async () => {
    const unchanged = Array.from({ length: 20 }, (_, n) => `# Rule ${n}\n\n${`Rule ${n} stays as it is. `.repeat(9)}`).join('\n\n')
    const page = newPage(`# Opening\n\n${'The workshop opens at seven. '.repeat(7)}\n\n${unchanged}`)
    const first = await settled(owner, await addPage(owner, base, page.url))
    const before = await files(first)
    Object.assign(page, { text: page.text.replaceAll('seven', 'half past nine'), etag: '"2"' })
    embedder.passages.length = 0
    let release = (): void => undefined
    const reached = new Promise<void>((entered) => {
      embedder.before = () => {
        entered()
        return new Promise((resolve) => (release = resolve))
      }
    })
    const syncing = sync(first)
    await reached
    expect((await search('workshop opens'))[0]).toContain('seven')
    expect((await owner.call('GET', `/v1/bases/${base}/sources/${first.id}`)).body).toMatchObject({
      status: 'processing',
      chunksCount: first.chunksCount,
      contentHash: first.contentHash,
    })
    embedder.before = async () => undefined
    release()
    const second = await syncing
    expect(second).toMatchObject({ status: 'completed', error: null, progress: { reused: second.chunksCount - 1 } })
    expect(second.contentHash).not.toBe(first.contentHash)
    expect(embedder.passages).toEqual([expect.stringContaining('half past nine')])
    expect((await search('workshop opens'))[0]).toContain('half past nine')
    const after = await files(first)
    expect(after).toHaveLength(2)
    await vi.waitUntil(async () => !(await Promise.all(before.map((key) => platform.storage.exists(key)))).includes(true), {
      timeout: 120_000,
    })
    expect(await Promise.all(after.map((key) => platform.storage.exists(key)))).toEqual([true, true])
  })

  it('that fails keeps the previous index, and shows the reason until one succeeds', async () => {
    const page = newPage('# Lamps\n\nThe rear lamp takes two cells.')
    const first = await settled(owner, await addPage(owner, base, page.url))
    const kept = await files(first)
    page.status = 410
    const failed = await sync(first)
    expect(failed).toMatchObject({
      status: 'completed',
      stage: 'done',
      errorCode: 'not_found',
      error: expect.stringContaining('410'),
      chunksCount: first.chunksCount,
      contentHash: first.contentHash,
      lastSyncedAt: first.lastSyncedAt,
    })
    expect((await search('rear lamp'))[0]).toContain('two cells')
    expect(await files(first)).toEqual(kept)
    const { body } = await owner.call('GET', '/v1/events?type=source.failed&limit=1')
    expect(body.data[0].data).toMatchObject({ id: first.id, status: 'completed', errorCode: 'not_found' })
    page.status = 200
    expect((await owner.call('POST', `/v1/bases/${base}/sources/${first.id}/retry`)).status).toBe(200)
    expect(await settled(owner, first)).toMatchObject({ status: 'completed', error: null, errorCode: null })
  })

  it('re-indexes unchanged content after a change of the chunking settings', async () => {
    const own = await newBase(owner)
    const page = newPage(`# A\n\n${'One sentence of a long text. '.repeat(60)}`)
    const first = await settled(owner, await addPage(owner, own, page.url))
    await owner.call('PATCH', `/v1/bases/${own}`, { ragSettings: { chunkSize: 64, chunkOverlap: 0 } })
    await owner.call('POST', `/v1/bases/${own}/sources/${first.id}/sync`)
    expect((await settled(owner, first)).chunksCount).toBeGreaterThan(first.chunksCount)
  })

  it('is refused for a file, and for a source in progress', async () => {
    const storageUrl = await upload(app, owner, Buffer.from('A note.'))
    const { body: file } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })
    const conflict = { status: 409, body: { error: { code: 'conflict' } } }
    expect(await owner.call('POST', `/v1/bases/${base}/sources/${file.id}/sync`)).toMatchObject(conflict)
    const page = newPage('# Slow')
    let release = (): void => undefined
    site.pages.set(new URL(page.url).pathname, (response) => (release = () => void response.writeHead(200).end('slow')))
    const slow = await addPage(owner, base, page.url)
    expect(await owner.call('POST', `/v1/bases/${base}/sources/${slow.id}/sync`)).toMatchObject(conflict)
    await vi.waitUntil(() => page.requests().length > 0, { timeout: 120_000 })
    release()
    await settled(owner, slow)
  })
})
