import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { openObjectStorage } from './object-storage.ts'
import { createToken, engineName, freePort, pause, program, root, type Program } from './program.ts'

const onPostgres = engineName() === 'PostgreSQL'

/** A minute in `npm run test:full`. */
const outageSeconds = Number(process.env['OUTAGE_SECONDS'] ?? 3)
const megabyte = 2 ** 20

const note = (n: number): Uint8Array => Buffer.from(`This is note ${n}. Boat ${n} costs ${n * 3} euros.`)

/** Runs `doctor --repair`. Returns what it found, with files and parts of any age. */
async function doctor({ env }: Pick<Program, 'env'>): Promise<{ check: string }[]> {
  const words = ['cli/dist/main.js', 'doctor', '--repair', '--grace', '0', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root, env })
  return (JSON.parse(stdout) as { findings: { check: string }[] }).findings
}

/** Waits until all sources are completed, and searches for each. */
async function expectSearchable(client: Client, baseId: string, sources: ReadonlyMap<number, string>): Promise<void> {
  for (const [n, id] of sources) {
    expect(await client.settled(baseId, id)).toMatchObject({ status: 'completed' })
    const found = await client.search(baseId, `note ${n}`)
    expect(found.map(({ sourceId }) => sourceId)).toContain(id)
  }
}

test.skipIf(!onPostgres)('an API and a worker share a bucket and no folder (PostgreSQL)', async () => {
  const storage = await openObjectStorage(onTestFinished)
  const settings = { ...storage.settings, SECRET_KEY: 'a key of thirty-two or more characters' }
  const api = await program(onTestFinished, { ...settings, ROLE: 'api' })
  const apart = await mkdtemp(join(tmpdir(), 'groundwork-apart-'))
  onTestFinished(() => rm(apart, { recursive: true, force: true }))
  const worker = await program(onTestFinished, { ...api.env, ROLE: 'worker', DATA_DIR: apart, PORT: String(await freePort()) })
  await Promise.all([api.start(), worker.start()])
  const client = new Client(api.url, (await createToken(api)).token)
  const base = await client.createBase('Shared')
  const { id } = await client.addFile(base.id, 'note.txt', 'text/plain', note(1))
  await expectSearchable(client, base.id, new Map([[1, id]]))
  expect(await (await client.request('GET', `/v1/bases/${base.id}/sources/${id}/original`)).text()).toBe(note(1).toString())
  await client.api.bases.sources.delete(base.id, id)
  await expect.poll(async () => (await storage.list()).objects.filter((key) => /originals|texts/.test(key))).toEqual([])
  expect(await worker.stop()).toBe(0)
  expect(await api.stop()).toBe(0)
})

test.skipIf(onPostgres)(
  'a bucket that is gone for a while loses nothing: uploads are refused, sources wait, and both continue by themselves',
  async () => {
    const storage = await openObjectStorage(onTestFinished)
    const groundwork = await program(onTestFinished, storage.settings)
    await groundwork.start()
    const client = new Client(groundwork.url, (await createToken(groundwork)).token)
    const base = await client.createBase('Outage')
    const sources = new Map<number, string>()
    const add = async (n: number): Promise<void> =>
      void sources.set(n, (await client.addFile(base.id, `${n}.txt`, 'text/plain', note(n))).id)
    for (let n = 0; n < 5; n += 1) await add(n)
    // Some of these are processed while the bucket is gone.
    const { storageUrl } = await client.api.uploads.create(new Uint8Array(note(5)), { name: '5.txt', type: 'text/plain' })
    storage.go()
    const until = Date.now() + outageSeconds * 1000
    do {
      const upload = await client.request('POST', '/v1/uploads', {
        fileName: 'a.txt',
        contentType: 'text/plain',
        sizeBytes: 9,
        parts: true,
      })
      // An upload itself is a row; its bytes are refused.
      if (upload.ok)
        await expect(client.api.uploads.create(new Uint8Array(note(6)), { name: '6.txt' })).rejects.toThrow(
          /ECONNRESET|fetch failed|socket|reach/i,
        )
      else expect([upload.status, upload.headers.get('retry-after')]).toEqual([503, expect.any(String)])
      expect((await client.request('GET', '/v1/contacts')).status).toBe(200)
      expect(await client.search(base.id, 'note')).toBeDefined()
      await pause(200)
    } while (Date.now() < until)
    storage.return()
    // The upload that was complete before can be used now.
    const { id } = await client.api.bases.sources.create(base.id, { name: '5.txt', type: 'file', storageUrl })
    sources.set(5, id)
    await expectSearchable(client, base.id, sources)
    expect((await fetch(`${groundwork.url}/readyz`)).status).toBe(200)
    await doctor(groundwork)
    expect(await doctor(groundwork)).toEqual([])
    expect(await groundwork.stop()).toBe(0)
  },
)

test.skipIf(onPostgres)('an upload in parts continues after the program was killed', async () => {
  const storage = await openObjectStorage(onTestFinished)
  const groundwork = await program(onTestFinished, storage.settings)
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('Parts')
  const bytes = Buffer.from(Array.from({ length: (20 * megabyte) / 64 }, (_, n) => `${String(n).padStart(62, '.')} \n`).join(''))
  const upload = await client.call<Upload>('POST', '/v1/uploads', { ...textFile, sizeBytes: bytes.length, parts: true })
  const send = async ({ url, firstByte, sizeBytes }: Upload['parts'][number]): Promise<void> =>
    expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes.subarray(firstByte, firstByte + sizeBytes)) })).ok).toBe(true)
  if (upload.parts[0] !== undefined) await send(upload.parts[0])
  await groundwork.kill()
  await groundwork.start()
  const resumed = await client.call<Upload>('POST', `/v1/uploads/${upload.id}/resume`)
  expect(resumed.parts.map(({ number }) => number)).toEqual([2, 3])
  for (const part of resumed.parts) await send(part)
  await client.call('POST', `/v1/uploads/${upload.id}/complete`)
  const { id } = await client.api.bases.sources.create(base.id, { name: 'long.txt', type: 'file', storageUrl: upload.storageUrl })
  const original = await client.request('GET', `/v1/bases/${base.id}/sources/${id}/original`)
  expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true)
  await client.api.bases.sources.delete(base.id, id)
  await expect.poll(async () => (await storage.list()).objects.filter((key) => key.includes('originals'))).toEqual([])
  await groundwork.kill()
})

test.skipIf(onPostgres)('a program that is killed while it stores a file in parts leaves nothing after the doctor', async () => {
  const storage = await openObjectStorage(onTestFinished)
  const groundwork = await program(onTestFinished, { ...storage.settings, STORAGE_URL: `${storage.settings['STORAGE_URL']}&uploads=api` })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const upload = await client.call<{ uploadUrl: string }>('POST', '/v1/uploads', { ...textFile, sizeBytes: 20 * megabyte })
  const sending = new AbortController()
  onTestFinished(() => sending.abort())
  // Ten megabytes, and no end.
  const beginning = Readable.from(
    (async function* bytes() {
      yield Buffer.alloc(10 * megabyte, 'a')
      await once(sending.signal, 'abort')
    })(),
  )
  const answer = fetch(upload.uploadUrl, {
    method: 'PUT',
    headers: { 'content-length': String(20 * megabyte) },
    body: Readable.toWeb(beginning) as ReadableStream,
    duplex: 'half',
    signal: sending.signal,
  })
  await Promise.all([
    expect(answer).rejects.toThrow('fetch failed'),
    (async () => {
      await expect.poll(async () => (await storage.list()).unfinished.length).toBe(1)
      await groundwork.kill()
    })(),
  ])
  await groundwork.start()
  // A younger one may belong to a running program.
  expect(await doctor(groundwork)).toEqual([])
  storage.age()
  expect((await doctor(groundwork)).map(({ check }) => check)).toEqual(['unfinished_write'])
  expect(await doctor(groundwork)).toEqual([])
  expect(await storage.list()).toMatchObject({ unfinished: [] })
  expect(await groundwork.stop()).toBe(0)
})

const textFile = { fileName: 'long.txt', contentType: 'text/plain' }

interface Upload {
  readonly id: string
  readonly storageUrl: string
  readonly parts: readonly { readonly number: number; readonly firstByte: number; readonly sizeBytes: number; readonly url: string }[]
}
