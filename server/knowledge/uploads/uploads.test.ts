import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { KnowledgeServices } from '../context.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { testApp, type Caller } from '../../testing/app.ts'
import { endDelays, jobName } from '../../testing/delayed-jobs.ts'
import { deleteFilesWork } from './delete-files.ts'
import { receiveUpload } from './receive.ts'

const { app, platform, database, organization } = await testApp({
  worker: { outbound: createOutbound({ allowHosts: [], userAgent: 'test' }) },
})
const name = deleteFilesWork.name
const owner = await organization()
const base = (await owner.call('POST', '/v1/bases', { name: 'B' })).body.id

async function begin({ call, organizationId }: Caller = owner) {
  const { body } = await call('POST', '/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 5 })
  const key = `${organizationId}/originals/${body.id.slice(4)}`
  return { ...body, key, path: new URL(body.uploadUrl).pathname }
}

const send = async ({ path }: { path: string }): Promise<number> =>
  (await app.inject({ method: 'PUT', url: path, payload: Buffer.from('hello') })).statusCode

const addSource = ({ storageUrl }: { storageUrl: string }) =>
  owner.call('POST', `/v1/bases/${base}/sources`, { name: 'f', type: 'file', storageUrl })

async function left({ id, key }: { id: string; key: string }): Promise<{ row: boolean; file: boolean }> {
  const { rows } = await database.pool.query('select 1 from upload where id = $1', [id.slice(4)])
  return { row: rows.length === 1, file: await platform.storage.exists(key) }
}

const refused = { status: 422, body: { error: { code: 'validation_error', field: 'storageUrl' } } }

describe('an upload that no source uses', () => {
  it('is deleted with its file an hour after it has expired', async () => {
    const [sent, empty] = [await begin(), await begin()]
    expect(await send(sent)).toBe(204)
    expect(await left(sent)).toEqual({ row: true, file: true })
    const { rows } = await database.pool.query<{ start_after: Date }>(
      `select start_after from pgboss.job where ${jobName} = $1 and data -> 'keys' ? $2`,
      [name, sent.key],
    )
    expect(rows).toHaveLength(1)
    expect(Math.abs((rows[0]?.start_after.getTime() ?? 0) - Date.parse(sent.expiresAt) - 3_600_000)).toBeLessThan(60_000)
    await endDelays(database, name)
    expect([await left(sent), await left(empty)]).toEqual(Array.from({ length: 2 }, () => ({ row: false, file: false })))
    expect(await addSource(sent)).toMatchObject(refused)
    expect(await send(sent)).toBe(404)
  })

  it('leaves no file if its bytes arrive during the deletion', async () => {
    const upload = await begin()
    const storage: KnowledgeServices['storage'] = {
      ...platform.storage,
      async write(key, content, maxBytes) {
        await deleteFilesWork.run(owner.ctx, { keys: [key] })
        return platform.storage.write(key, content, maxBytes)
      },
    }
    const origin = { address: '203.0.113.7', requestId: 'req_x' }
    const ticket = upload.path.split('/').at(-1)
    const received = receiveUpload({ ...platform, storage, origin, cookies: '', userAgent: '' }, ticket, {
      stream: Readable.from([Buffer.from('hello')]),
      length: 5,
    })
    await expect(received).rejects.toMatchObject({ code: 'not_found' })
    expect(await left(upload)).toEqual({ row: false, file: false })
  })
})

describe('an upload that a source uses', () => {
  it('is kept, and deleted with the last such source', async () => {
    const upload = await begin()
    await send(upload)
    const first = await addSource(upload)
    await endDelays(database, name)
    expect(await left(upload)).toEqual({ row: true, file: true })
    const second = await addSource(upload)
    expect([first.status, second.status]).toEqual([201, 201])
    await owner.call('DELETE', `/v1/bases/${base}/sources/${first.body.id}`)
    await endDelays(database, name)
    expect(await left(upload)).toEqual({ row: true, file: true })
    await owner.call('DELETE', `/v1/bases/${base}/sources/${second.body.id}`)
    await endDelays(database, name)
    expect(await left(upload)).toEqual({ row: false, file: false })
    expect(await addSource(upload)).toMatchObject(refused)
    await deleteFilesWork.run(owner.ctx, { keys: [upload.key] })
  })

  it('is either used or deleted when both happen concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const upload = await begin()
      await send(upload)
      const [added] = await Promise.all([addSource(upload), deleteFilesWork.run(owner.ctx, { keys: [upload.key] })])
      const kept = added.status === 201
      expect([await left(upload), added.status]).toEqual([{ row: kept, file: kept }, kept ? 201 : 422])
      if (kept) await owner.call('DELETE', `/v1/bases/${base}/sources/${added.body.id}`)
    }
  })
})

describe('an upload whose source was deleted', () => {
  it('is refused immediately, before its file is deleted', async () => {
    const { platform: idle, organization: other, app: server } = await testApp()
    const caller = await other()
    const { body: own } = await caller.call('POST', '/v1/bases', { name: 'B' })
    const { body: made } = await caller.call('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: 5 })
    await server.inject({ method: 'PUT', url: new URL(made.uploadUrl).pathname, payload: Buffer.from('hello') })
    const source = { name: 'f', type: 'file', storageUrl: made.storageUrl }
    const { body } = await caller.call('POST', `/v1/bases/${own.id}/sources`, source)
    expect((await caller.call('DELETE', `/v1/bases/${own.id}/sources/${body.id}`)).status).toBe(204)
    expect(await idle.storage.exists(`${caller.organizationId}/originals/${made.id.slice(4)}`)).toBe(true)
    expect(await caller.call('POST', `/v1/bases/${own.id}/sources`, source)).toMatchObject(refused)
  })
})

describe('an upload by a token that is limited to knowledge bases', () => {
  const limitedTo = async (...baseIds: string[]) => {
    const { body } = await owner.call('POST', '/v1/tokens', { name: 'T', scopes: ['sources:write', 'sources:read'], baseIds })
    const headers = { authorization: `Bearer ${body.token}` }
    return {
      begin: async (): Promise<string> => {
        const made = (
          await app.inject({ method: 'POST', url: '/v1/uploads', headers, payload: { fileName: 'a.txt', sizeBytes: 5 } })
        ).json()
        await app.inject({ method: 'PUT', url: new URL(made.uploadUrl).pathname, payload: Buffer.from('hello') })
        return made.storageUrl
      },
      add: async (to: string, storageUrl: string, path = 'sources') => {
        const payload = { name: 'f', type: 'file', storageUrl, ...(path === 'sources/upsert' && { externalId: storageUrl }) }
        const answer = await app.inject({ method: 'POST', url: `/v1/bases/${to}/${path}`, headers, payload })
        return { status: answer.statusCode, body: answer.json() }
      },
    }
  }

  it('is not found by a token that is limited to others', async () => {
    const other = (await owner.call('POST', '/v1/bases', { name: 'C' })).body.id
    const [first, second, both] = [await limitedTo(base), await limitedTo(other), await limitedTo(base, other)]
    const [ofFirst, ofBoth] = [await first.begin(), await both.begin()]
    const nowhere = await second.add(other, 'groundwork://uploads/upl_0197a2c4-9c1e-7b52-8f0e-3a51c2d4e6f8')
    for (const storageUrl of [ofFirst, ofBoth, (await begin()).storageUrl]) {
      for (const path of ['sources', 'sources/upsert']) {
        const { error } = (await second.add(other, storageUrl, path)).body
        expect(error).toMatchObject({ ...nowhere.body.error, requestId: expect.any(String) })
      }
    }
    expect((await first.add(base, ofFirst)).status).toBe(201)
    expect((await both.add(other, ofFirst)).status).toBe(201)
    expect((await both.add(other, ofBoth)).status).toBe(201)
    expect(await owner.call('POST', `/v1/bases/${other}/sources`, { name: 'f', type: 'file', storageUrl: ofFirst })).toMatchObject({
      status: 201,
    })
  })
})
