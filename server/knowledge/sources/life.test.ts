import type { Source } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp } from '../../testing/app.ts'
import { endDelays, jobName } from '../../testing/delayed-jobs.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startSite } from '../../testing/site.ts'
import { addPage, newBase, settled, upload } from '../../testing/sources.ts'
import { syncSourceWork } from './schedule.ts'

const site = await startSite()
const embedder = letterEmbedder()
const outbound = createOutbound({ allowHosts: [site.host], userAgent: 'test', resolve: async () => [{ address: '10.1.1.1', family: 4 }] })
const { app, organization, database } = await testApp({ embedder, worker: { outbound } })
const owner = await organization()
const base = await newBase(owner, { chunkingStrategy: 'markdown', chunkSize: 64 })
const at = (source: Pick<Source, 'id'>, verb = ''): string => `/v1/bases/${base}/sources/${source.id}${verb}`

let paths = 0
/** An address of its own with this text behind it. */
function newPage(text: string): string {
  const path = `/${(paths += 1)}`
  site.pages.set(path, (response) => response.writeHead(200, { 'content-type': 'text/markdown' }).end(text))
  return `http://${site.host}${path}`
}

const addFile = async (text: string, more: object = {}): Promise<Source> => {
  const storageUrl = await upload(app, owner, Buffer.from(text))
  const { status, body } = await owner.call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl, ...more })
  expect(status).toBe(201)
  return body
}

const search = async (query: string, sourceId: string): Promise<string[]> => {
  const { body } = await owner.call('POST', `/v1/bases/${base}/search`, { query, sourceIds: [sourceId] })
  return body.data.map(({ text }: { text: string }) => text)
}

/** Makes embeddings of passages wait until the release. `reached` resolves when one waits. Others can be those of earlier tests. */
function holdEmbedding(): { reached: Promise<void>; release: () => void } {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const reached = new Promise<void>((entered) => {
    embedder.before = () => {
      entered()
      return released
    }
  })
  return {
    reached,
    release: () => {
      embedder.before = async () => undefined
      release()
    },
  }
}

describe('a change of a source', () => {
  it('merges metadata by key, and hides a disabled source immediately', async () => {
    const source = await settled(owner, await addFile('The ladder leans on the east wall.', { metadata: { a: 1, b: 'two', c: true } }))
    const changed = await owner.call('PATCH', at(source), { name: 'Ladder', metadata: { b: null, c: false, d: ['x'] }, enabled: false })
    expect(changed).toMatchObject({ status: 200, body: { name: 'Ladder', enabled: false } })
    expect(changed.body.metadata).toEqual({ a: 1, c: false, d: ['x'] })
    expect(await search('ladder', source.id)).toEqual([])
    await owner.call('PATCH', at(source), { enabled: true })
    expect(await search('ladder', source.id)).toHaveLength(1)
  })

  it('is refused if it is invalid for the source', async () => {
    const source = await settled(owner, await addFile('Short.'))
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n]))
    expect((await owner.call('PATCH', at(source), { metadata: many })).status).toBe(200)
    for (const [wrong, field] of [
      [{ metadata: { another: 1 } }, 'metadata'],
      [{ syncSchedule: 'daily' }, 'syncSchedule'],
      [{ syncSchedule: 'yearly' }, 'syncSchedule'],
      [{ type: 'url' }, 'type'],
      [{ name: '' }, 'name'],
    ] as const) {
      expect(await owner.call('PATCH', at(source), wrong)).toMatchObject({ status: 422, body: { error: { field } } })
    }
  })
})

describe('a replacement of the content', () => {
  it('keeps the id, and the old content until the new content is complete', async () => {
    const source = await settled(owner, await addFile('The blue van is for deliveries.'))
    const held = holdEmbedding()
    const storageUrl = await upload(app, owner, Buffer.from('The red van is for deliveries.'))
    const replaced = await owner.call('POST', at(source, '/replace'), { storageUrl })
    expect(replaced).toMatchObject({ status: 202, body: { id: source.id, status: 'processing', storageUrl: source.storageUrl } })
    await held.reached
    expect(await search('van', source.id)).toEqual(['The blue van is for deliveries.'])
    held.release()
    expect(await settled(owner, source)).toMatchObject({ status: 'completed', storageUrl })
    expect(await search('van', source.id)).toEqual(['The red van is for deliveries.'])
  })

  it('keeps the old content if the new content is unreadable, and reports the reason', async () => {
    const source = await settled(owner, await addFile('Helmets hang on the left.'))
    const storageUrl = await upload(app, owner, Buffer.from('%PDF-1.7\n1 0 obj <<'), 'b.pdf')
    await owner.call('POST', at(source, '/replace'), { storageUrl })
    expect(await settled(owner, source)).toMatchObject({
      status: 'completed',
      errorCode: 'corrupt_file',
      storageUrl: source.storageUrl,
      contentHash: source.contentHash,
    })
    expect(await search('helmets', source.id)).toEqual(['Helmets hang on the left.'])
  })

  it('is repeated by a retry after a failure, and by a later sync', async () => {
    for (const verb of ['/retry', '/sync']) {
      const source = await settled(owner, await addPage(owner, base, newPage('The mast is of spruce.')))
      const url = newPage('The mast is of carbon.')
      const path = new URL(url).pathname
      const answers = site.pages.get(path)
      site.pages.set(path, (response) => response.writeHead(404).end())
      await owner.call('POST', at(source, '/replace'), { url })
      expect(await settled(owner, source)).toMatchObject({ status: 'completed', errorCode: 'not_found', url: source.url })
      if (answers !== undefined) site.pages.set(path, answers)
      expect(await owner.call('POST', at(source, verb))).toMatchObject({ body: { status: 'processing', errorCode: null } })
      expect(await settled(owner, source)).toMatchObject({ status: 'completed', errorCode: null, url })
      expect(await search('mast', source.id)).toEqual(['The mast is of carbon.'])
    }
  })

  it('ends a running attempt and leaves nothing of it', async () => {
    const held = holdEmbedding()
    const source = await addPage(owner, base, newPage('# Old\n\nNever to be seen.'))
    await held.reached
    const url = newPage('# New\n\nThe bell is rung at noon.')
    expect(await owner.call('POST', at(source, '/replace'), { url })).toMatchObject({ status: 202, body: { url } })
    held.release()
    expect(await settled(owner, source)).toMatchObject({ status: 'completed', url })
    expect((await search('seen noon', source.id)).join()).not.toContain('Never')
    const { rows } = await database.pool.query(
      'select (select count(*) from document where source_id = $1) as documents, (select count(*) from index_generation where source_id = $1) as generations',
      [source.id.slice(4)],
    )
    expect(rows).toEqual([{ documents: 1, generations: 1 }])
  })

  it('only accepts fields of its type', async () => {
    const source = await settled(owner, await addFile('A file.'))
    for (const [wrong, field] of [
      // Without any content, the body fails before the type of the source is known.
      [{}, 'url'],
      [{ url: 'https://example.com/' }, 'storageUrl'],
      [{ storageUrl: 'groundwork://uploads/upl_1' }, 'storageUrl'],
      [{ maxPages: 3 }, 'url'],
    ] as const) {
      expect(await owner.call('POST', at(source, '/replace'), wrong)).toMatchObject({ status: 422, body: { error: { field } } })
    }
  })
})

describe('cancelling', () => {
  it('ends an attempt: failed without a live index, completed with one', async () => {
    const held = holdEmbedding()
    const source = await addFile('The gate code changes on Mondays.')
    await held.reached
    const cancelled = await owner.call('POST', at(source, '/cancel'))
    expect(cancelled).toMatchObject({ status: 200, body: { status: 'failed', errorCode: 'cancelled' } })
    held.release()
    expect((await owner.call('POST', at(source, '/cancel'))).status).toBe(409)
    await owner.call('POST', at(source, '/retry'))
    const completed = await settled(owner, source)
    expect(completed).toMatchObject({ status: 'completed', errorCode: null })

    const again = holdEmbedding()
    await owner.call('POST', at(source, '/replace'), { storageUrl: await upload(app, owner, Buffer.from('Something else.')) })
    await again.reached
    expect(await owner.call('POST', at(source, '/cancel'))).toMatchObject({
      body: { status: 'completed', errorCode: 'cancelled', contentHash: completed.contentHash },
    })
    again.release()
    expect(await search('gate', source.id)).toEqual(['The gate code changes on Mondays.'])
    await owner.call('POST', at(source, '/retry'))
    expect(await settled(owner, source)).toMatchObject({ status: 'completed', errorCode: null })
    expect(await search('else', source.id)).toEqual(['Something else.'])
  })

  it('of a replacement leaves its address to a retry alone', async () => {
    const source = await settled(owner, await addPage(owner, base, newPage('The oars are of ash.')))
    const url = newPage('The oars are of beech.')
    const cancelled = async (): Promise<void> => {
      const held = holdEmbedding()
      await owner.call('POST', at(source, '/replace'), { url })
      await held.reached
      await owner.call('POST', at(source, '/cancel'))
      held.release()
    }
    await cancelled()
    await owner.call('POST', at(source, '/sync'))
    expect(await settled(owner, source)).toMatchObject({ errorCode: null, url: source.url })
    expect(await search('oars', source.id)).toEqual(['The oars are of ash.'])
    await cancelled()
    await owner.call('POST', at(source, '/retry'))
    expect(await settled(owner, source)).toMatchObject({ errorCode: null, url })
    expect(await search('oars', source.id)).toEqual(['The oars are of beech.'])
  })
})

describe('an externalId', () => {
  it('is unique in its knowledge base', async () => {
    await settled(owner, await addFile('One.', { externalId: 'doc-1' }))
    const storageUrl = await upload(app, owner, Buffer.from('Two.'))
    const again = { name: 'f', type: 'file', storageUrl, externalId: 'doc-1' }
    expect(await owner.call('POST', `/v1/bases/${base}/sources`, again)).toMatchObject({
      status: 409,
      body: { error: { field: 'externalId' } },
    })
    const other = await owner.call('POST', `/v1/bases/${await newBase(owner)}/sources`, again)
    expect(other.status).toBe(201)
    await settled(owner, other.body)
  })

  it('makes creation repeatable: the same source with replaced content', async () => {
    const upsert = async (text: string, more: object = {}) =>
      owner.call('POST', `/v1/bases/${base}/sources/upsert`, {
        name: 'n',
        type: 'file',
        storageUrl: await upload(app, owner, Buffer.from(text)),
        externalId: 'doc-2',
        ...more,
      })
    const first = await upsert('The first edition.', { metadata: { edition: 1, kept: true } })
    expect(first).toMatchObject({ status: 200, body: { created: true, externalId: 'doc-2' } })
    await settled(owner, first.body)
    const second = await upsert('The second edition.', { name: 'm', metadata: { edition: 2 } })
    expect(second).toMatchObject({
      status: 200,
      body: { created: false, id: first.body.id, name: 'm', metadata: { edition: 2, kept: true } },
    })
    await settled(owner, first.body)
    expect(await search('edition', first.body.id)).toEqual(['The second edition.'])
    embedder.passages.length = 0
    await settled(owner, (await upsert('The second edition.')).body)
    expect(embedder.passages).toEqual([])
    expect(await upsert('x', { type: 'url', storageUrl: undefined, url: 'https://example.com/' })).toMatchObject({
      status: 422,
      body: { error: { field: 'type' } },
    })
  })

  it('creates one source for two concurrent requests', async () => {
    const storageUrl = await upload(app, owner, Buffer.from('At once.'))
    const body = { name: 'n', type: 'file', storageUrl, externalId: 'doc-3' }
    const both = await Promise.all([1, 2].map(() => owner.call('POST', `/v1/bases/${base}/sources/upsert`, body)))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(both.map((each) => each.body.created).toSorted()).toEqual([false, true])
    expect(new Set(both.map((each) => each.body.id)).size).toBe(1)
    await settled(owner, both[0]?.body)
  })
})

describe('the content of a source', () => {
  it('is listed as chunks by page, and as the text that they refer to', async () => {
    const text = Array.from({ length: 12 }, (_, n) => `# Part ${n}\n\n${`Words of part ${n}. `.repeat(12).trim()}`).join('\n\n')
    const source = await settled(owner, await addPage(owner, base, newPage(text)))
    const first = (await owner.call('GET', at(source, '/chunks?limit=5'))).body
    const second = (await owner.call('GET', at(source, `/chunks?limit=100&cursor=${first.nextCursor}`))).body
    const chunks = [...first.data, ...second.data]
    expect(first.data).toHaveLength(5)
    expect(second.nextCursor).toBeNull()
    expect(chunks.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: source.chunksCount }, (_, n) => n))
    const content = (await owner.call('GET', at(source, '/content'))).body
    expect(content).toMatchObject({ mediaType: 'text/markdown', language: 'en' })
    for (const chunk of chunks) expect(content.text.slice(chunk.start, chunk.end)).toBe(chunk.text)
    expect(await owner.call('GET', at(source, '/chunks?cursor=x'))).toMatchObject({ status: 400, body: { error: { field: 'cursor' } } })
  })

  it('is empty before processing', async () => {
    const held = holdEmbedding()
    const source = await addPage(owner, base, 'http://private.example/')
    expect((await owner.call('GET', at(source, '/chunks'))).body).toEqual({ data: [], nextCursor: null })
    expect((await owner.call('GET', at(source, '/content'))).status).toBe(404)
    held.release()
  })
})

describe('a sync schedule', () => {
  const dueIn = async ({ id }: Source): Promise<number[]> => {
    const { rows } = await database.pool.query(
      `select extract(epoch from start_after - created_on) as seconds from pgboss.job
       where ${jobName} = $2 and state < 'active' and data ->> 'sourceId' = $1 order by created_on`,
      [id.slice(4), syncSourceWork.name],
    )
    return rows.map(({ seconds }) => Number(seconds))
  }

  it('syncs when due, without events if nothing changed, and continues', async () => {
    const url = newPage('# Prices\n\nA day costs twelve.')
    const source = await settled(owner, await addPage(owner, base, url, { syncSchedule: 'hourly' }))
    expect(source.syncSchedule).toBe('hourly')
    const [seconds] = await dueIn(source)
    expect(seconds).toBeGreaterThan(3200)
    expect(seconds).toBeLessThan(4000)
    const events = async () =>
      (await owner.call('GET', '/v1/events?limit=100')).body.data.filter((event: { data: Source }) => event.data.id === source.id)
    const before = (await events()).length
    await endDelays(database, syncSourceWork.name)
    await settled(owner, source)
    await vi.waitUntil(async () => (await settled(owner, source)).lastSyncedAt !== source.lastSyncedAt, { timeout: 120_000 })
    expect(await events()).toHaveLength(before)

    site.pages.set(new URL(url).pathname, (response) =>
      response.writeHead(200, { 'content-type': 'text/markdown' }).end('# Prices\n\nA day costs thirteen.'),
    )
    await endDelays(database, syncSourceWork.name)
    await vi.waitUntil(async () => (await search('price day', source.id)).join().includes('thirteen'), { timeout: 120_000 })
    await settled(owner, source)
    const told = (await events()).slice(0, -before).map(({ type, data }: { type: string; data: Source }) => `${type} ${data.stage}`)
    const stages = ['indexing', 'embedding', 'chunking', 'extracting', 'fetching'].map((stage) => `source.processing ${stage}`)
    expect(told).toEqual(['source.completed done', ...stages])
    expect(await dueIn(source)).toHaveLength(1)
  })

  it('ends when it is cleared', async () => {
    const source = await settled(owner, await addPage(owner, base, newPage('# Still'), { syncSchedule: 'weekly' }))
    expect((await owner.call('PATCH', at(source), { syncSchedule: null })).body.syncSchedule).toBeNull()
    await endDelays(database, syncSourceWork.name)
    expect((await settled(owner, source)).lastSyncedAt).toBe(source.lastSyncedAt)
    expect(await dueIn(source)).toEqual([])
  })
})
