import { afterAll, describe, expect, it } from 'vitest'
import { diagnose } from '../../doctor/doctor.ts'
import { ownerQuery } from '../../db/owner-query.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { openStorage } from '../../storage/open-storage.ts'
import { parseS3Url } from '../../storage/s3/settings.ts'
import { testApp, type Caller, type TestApp } from '../../testing/app.ts'
import { endDelays } from '../../testing/delayed-jobs.ts'
import { letterEmbedder } from '../../testing/letter-embedder.ts'
import { startS3Server } from '../../testing/s3-server.ts'
import { deleteFilesWork } from './delete-files.ts'

const s3 = await startS3Server()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const storage = await openStorage(
  { kind: 's3', ...parseS3Url(s3.url()), credentials: { ...s3.credentials, sessionToken: undefined } },
  outbound,
)
const options = { worker: { outbound }, embedder: letterEmbedder() }
const apps = { folder: await testApp(options), bucket: await testApp({ ...options, storage }) }
afterAll(() => s3.close())

const megabyte = 2 ** 20
const bytes = Buffer.alloc(20 * megabyte, Buffer.from(Array.from({ length: 251 }, (_, n) => n)))

interface Part {
  number: number
  firstByte: number
  sizeBytes: number
  url: string
}

/** Sends a request to a URL of an upload, of the API or of the storage. Returns the status. */
async function put({ app, platform }: TestApp, url: string, body: Buffer, headers: Record<string, string> = {}): Promise<number> {
  if (!url.startsWith(platform.baseUrl)) return (await fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })).status
  return (await app.inject({ method: 'PUT', url: url.slice(platform.baseUrl.length), payload: body, headers })).statusCode
}

const sendPart = (on: TestApp, { url, firstByte, sizeBytes }: Part): Promise<number> =>
  put(on, url, bytes.subarray(firstByte, firstByte + sizeBytes))

const beginParts = async ({ call }: Caller) =>
  (await call('POST', '/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes: bytes.length, parts: true })).body

async function base({ call }: Caller): Promise<string> {
  return (await call('POST', '/v1/bases', { name: 'B' })).body.id
}

const doctor = ({ platform, database }: TestApp, now = new Date()) =>
  diagnose(
    { query: ownerQuery(database.pool), database, jobs: platform.jobs, storage: platform.storage },
    { repair: true, graceSeconds: 3600, now },
  )

const later = (hours: number): Date => new Date(Date.now() + hours * 3_600_000)

describe.each([['folder'], ['bucket']] as const)('an upload in parts to a %s', (kind) => {
  const on = apps[kind]

  it('is resumed after an interruption, and completed', async () => {
    const caller = await on.organization()
    const made = await beginParts(caller)
    expect(made.parts.map(({ number, firstByte, sizeBytes }: Part) => [number, firstByte, sizeBytes])).toEqual([
      [1, 0, 8 * megabyte],
      [2, 8 * megabyte, 8 * megabyte],
      [3, 16 * megabyte, 4 * megabyte],
    ])
    expect([200, 204]).toContain(await sendPart(on, made.parts[1]))
    const path = `/v1/uploads/${made.id}`
    expect((await caller.call('GET', path)).body).toMatchObject({ receivedParts: [2], receivedAt: null })
    expect(await caller.call('POST', `${path}/complete`)).toMatchObject({
      status: 409,
      body: { error: { message: '2 of 3 parts of the upload have not been received.' } },
    })
    const { body: resumed } = await caller.call('POST', `${path}/resume`)
    expect(resumed.parts.map(({ number }: Part) => number)).toEqual([1, 3])
    // The doctor keeps the parts of an upload that can still be resumed.
    expect((await doctor(on, later(2))).findings).toEqual([])
    for (const part of resumed.parts) await sendPart(on, part)
    for (let times = 0; times < 2; times += 1)
      expect((await caller.call('POST', `${path}/complete`)).body).toMatchObject({ receivedParts: null, receivedAt: expect.any(String) })
    expect((await on.platform.storage.read(`${caller.organizationId}/originals/${made.id.slice(4)}`)).equals(bytes)).toBe(true)
    expect(await caller.call('POST', `${path}/resume`)).toMatchObject({ status: 409 })
    expect([404, 409]).toContain(await sendPart(on, made.parts[0]))
    const source = { name: 'f', type: 'file', storageUrl: made.storageUrl }
    expect((await caller.call('POST', `/v1/bases/${await base(caller)}/sources`, source)).status).toBe(201)
  })

  it('refuses parts of another size', async () => {
    const caller = await on.organization()
    const { parts } = await beginParts(caller)
    expect([400, 403]).toContain(await put(on, parts[2].url, Buffer.alloc(4 * megabyte + 1)))
    expect([400, 403]).toContain(await put(on, parts[0].url, Buffer.alloc(10)))
  })

  it('leaves nothing behind when it expires, and no other organization can use it', async () => {
    const [caller, other] = [await on.organization(), await on.organization()]
    const made = await beginParts(caller)
    await sendPart(on, made.parts[0])
    for (const path of [`/v1/uploads/${made.id}/resume`, `/v1/uploads/${made.id}/complete`])
      expect((await other.call('POST', path)).status).toBe(404)
    await endDelays(on.database, deleteFilesWork.name)
    const unfinished: string[] = []
    for await (const { key } of on.platform.storage.unfinishedWrites()) if (key.startsWith(caller.organizationId)) unfinished.push(key)
    expect(unfinished).toEqual([])
    expect((await caller.call('POST', `/v1/uploads/${made.id}/resume`)).status).toBe(404)
  })

  it('whose row is gone is cancelled by the doctor', async () => {
    const caller = await on.organization()
    const made = await beginParts(caller)
    await sendPart(on, made.parts[0])
    await on.database.pool.query('delete from upload where id = $1', [made.id.slice(4)])
    expect((await doctor(on)).findings).toEqual([])
    expect(await doctor(on, later(2))).toMatchObject({ findings: [{ check: 'unfinished_write' }], repaired: 1 })
    expect((await doctor(on, later(2))).findings).toEqual([])
  })
})

describe('an upload with one request to a bucket', () => {
  const on = apps.bucket
  const begin = async ({ call }: Caller, sizeBytes = 5) =>
    (await call('POST', '/v1/uploads', { fileName: 'a.txt', contentType: 'text/plain', sizeBytes })).body

  it('is accepted when a source is added, and cannot change any more', async () => {
    const caller = await on.organization()
    const made = await begin(caller)
    const path = `/v1/bases/${await base(caller)}/sources`
    const source = { name: 'f', type: 'file', storageUrl: made.storageUrl }
    expect(await caller.call('POST', path, source)).toMatchObject({ status: 422, body: { error: { field: 'storageUrl' } } })
    expect(await put(on, made.uploadUrl, Buffer.from('hello'), made.headers)).toBe(200)
    const { body } = await caller.call('POST', path, source)
    await expect.poll(async () => (await caller.call('GET', `${path}/${body.id}`)).body.status).not.toBe('processing')
    expect(await put(on, made.uploadUrl, Buffer.from('other'), made.headers)).toBe(200)
    expect((await caller.call('GET', `/v1/uploads/${made.id}`)).body.receivedAt).toEqual(expect.any(String))
    expect((await caller.call('GET', `${path}/${body.id}/original`)).body).toBe('hello')
    // Later bytes are no file: the doctor deletes them.
    expect(await doctor(on, later(2))).toMatchObject({ findings: [{ check: 'orphan_file' }], repaired: 1 })
  })

  it('is refused by the storage with other bytes than announced', async () => {
    const caller = await on.organization()
    const made = await begin(caller)
    expect(await put(on, made.uploadUrl, Buffer.from('longer'), made.headers)).toBe(403)
    expect(await put(on, made.uploadUrl, Buffer.from('hello'), { 'Content-Type': 'text/html' })).toBe(403)
    // A storage that does not check the length.
    const key = `files/${caller.organizationId}/originals/${made.id.slice(4)}.sent`
    s3.objects.set(key, { body: Buffer.from('longer'), modifiedAt: new Date(), contentType: '' })
    expect(await caller.call('GET', `/v1/uploads/${made.id}`)).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('6 bytes instead of the announced 5') } },
    })
    expect(s3.objects.has(key)).toBe(false)
  })

  it('waits for a storage that is gone', async () => {
    const caller = await on.organization()
    const made = await begin(caller)
    await put(on, made.uploadUrl, Buffer.from('hello'), made.headers)
    const path = `/v1/bases/${await base(caller)}/sources`
    const source = { name: 'f', type: 'file', storageUrl: made.storageUrl }
    s3.fault = () => ({ status: 403, code: 'InvalidAccessKeyId' })
    const refused = await caller.call('POST', path, source)
    expect([refused.status, refused.body.error.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
    s3.fault = () => null
    const { body } = await caller.call('POST', path, source)
    s3.fault = () => 'disconnect'
    await expect.poll(async () => (await caller.call('GET', `${path}/${body.id}`)).body.status).toBe('processing')
    s3.fault = () => null
    await expect.poll(async () => (await caller.call('GET', `${path}/${body.id}`)).body.status).toBe('completed')
  })

  it('goes to the API if the storage is not reachable for clients', async () => {
    const settings = { ...parseS3Url(`${s3.url('through-api')}&uploads=api`), credentials: { ...s3.credentials, sessionToken: undefined } }
    const { incoming } = await openStorage({ kind: 's3', ...settings }, outbound)
    expect(incoming.directOrigin).toBeNull()
    expect(await incoming.presign('o/originals/a', { sizeBytes: 1, contentType: 'text/plain', expiresInSeconds: 60 })).toBeNull()
  })
})
