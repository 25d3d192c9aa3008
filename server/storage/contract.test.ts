import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { startRealS3Server } from '../testing/real-s3-server.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { openStorage } from './open-storage.ts'
import { parseS3Url } from './s3/settings.ts'
import { MissingFileError, StorageLimitError } from './storage-error.ts'
import { localStorage, type Storage } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'groundwork-storage-'))
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const testServer = await startS3Server()
const realServer = await startRealS3Server()
afterAll(async () => {
  await outbound.close()
  await testServer.close()
  await realServer?.close()
  await rm(folder, { recursive: true, force: true })
})

const inBucket =
  (server: { url(prefix: string): string; credentials: { accessKeyId: string; secretAccessKey: string } }) => (name: string) =>
    openStorage({ kind: 's3', ...parseS3Url(server.url(name)), credentials: { ...server.credentials, sessionToken: undefined } }, outbound)

const namedStore = (name: string, open: (name: string) => Promise<Storage>): [string, typeof open] => [name, open]

/** All implementations, each with a function that opens a store. */
const stores: readonly [string, (name: string) => Promise<Storage>][] = [
  ['the local folder', (name) => localStorage(join(folder, name))],
  ['a bucket of the test server', inBucket(testServer)],
  ...(realServer === null ? [] : [namedStore('a bucket of versitygw', inBucket(realServer))]),
]

it.skipIf(realServer === null)('also runs on a bucket of versitygw, which .ci/versitygw installs', () => expect(stores).toHaveLength(3))

describe.each(stores)('%s', (_name, open) => {
  const organization = newId()
  const key = (name: string): string => `${organization}/originals/${name}`
  const listed = async (storage: Storage): Promise<string[]> => {
    const keys: string[] = []
    for await (const file of storage.files()) keys.push(file.key)
    return keys.toSorted()
  }

  it('stores and replaces bytes and streams', async () => {
    const storage = await open('replaced')
    expect(await storage.write(key('a'), Buffer.from('first'))).toBe(5)
    expect(await storage.write(key('a'), Readable.from([Buffer.from('sec'), Buffer.from('ond')]))).toBe(6)
    expect((await storage.read(key('a'))).toString()).toBe('second')
    expect([await storage.exists(key('a')), await storage.sizeBytes(key('a'))]).toEqual([true, 6])
    expect(await storage.write(key('empty'), Buffer.alloc(0))).toBe(0)
    expect([await storage.sizeBytes(key('empty')), (await storage.read(key('empty'))).length]).toEqual([0, 0])
    await storage.delete(key('a'))
    await storage.delete(key('a'))
    expect(await storage.exists(key('a'))).toBe(false)
    await expect(storage.read(key('a'))).rejects.toThrow(MissingFileError)
    await expect(storage.open(key('a'), null)).rejects.toThrow(MissingFileError)
    await expect(storage.sizeBytes(key('a'))).rejects.toThrow(MissingFileError)
  })

  it('stores long streams, and streams ranges of their bytes', async () => {
    const storage = await open('long')
    const bytes = Buffer.alloc(19 * 2 ** 20, Buffer.from(Array.from({ length: 251 }, (_, n) => n)))
    const chunks = Array.from({ length: 19 }, (_, n) => bytes.subarray(n * 2 ** 20, (n + 1) * 2 ** 20))
    expect(await storage.write(key('long'), Readable.from(chunks))).toBe(bytes.length)
    expect((await storage.read(key('long'))).equals(bytes)).toBe(true)
    const part = await storage.open(key('long'), { start: 9_000_000, end: 9_000_999 })
    expect(Buffer.concat(await part.toArray()).equals(bytes.subarray(9_000_000, 9_001_000))).toBe(true)
  })

  it('streams ranges of bytes', async () => {
    const storage = await open('ranges')
    await storage.write(key('r'), Buffer.from('0123456789'))
    const [all, some] = [await storage.open(key('r'), null), await storage.open(key('r'), { start: 2, end: 4 })]
    expect([await text(all), await text(some)]).toEqual(['0123456789', '234'])
    expect(await text(await storage.open(key('r'), { start: 9, end: 9 }))).toBe('9')
  })

  it('stores nothing of a stream that is too long or fails', async () => {
    const storage = await open('refused')
    await storage.write(key('a'), Buffer.from('before'))
    const broken = (bytes: number) =>
      new Readable({
        read() {
          this.push(Buffer.alloc(bytes))
          this.destroy(new Error('the sender is gone'))
        },
      })
    await expect(storage.write(key('a'), Readable.from([Buffer.alloc(11)]), 10)).rejects.toThrow(StorageLimitError)
    await expect(storage.write(key('a'), Buffer.alloc(11), 10)).rejects.toThrow(StorageLimitError)
    const mebibytes = Array.from({ length: 12 }, () => Buffer.alloc(2 ** 20))
    await expect(storage.write(key('b'), Readable.from(mebibytes), 11 * 2 ** 20)).rejects.toThrow(StorageLimitError)
    await expect(storage.write(key('a'), broken(4))).rejects.toThrow('the sender is gone')
    await expect(storage.write(key('b'), broken(9 * 2 ** 20))).rejects.toThrow('the sender is gone')
    expect((await storage.read(key('a'))).toString()).toBe('before')
    expect(await listed(storage)).toEqual([key('a')])
  })

  it.each(['../x', 'a/../../x', '/etc/passwd', 'a', 'a//b', 'a/b\0', 'a/b c'])('refuses the key %j', async (wrong) => {
    const storage = await open('keys')
    await expect((async () => storage.write(wrong, Buffer.from('x')))()).rejects.toThrow('invalid storage key')
    await expect((async () => storage.read(wrong))()).rejects.toThrow('invalid storage key')
    await expect((async () => storage.delete(wrong))()).rejects.toThrow('invalid storage key')
  })

  it('probes whether it is writable, and leaves no file behind', async () => {
    const storage = await open('probed')
    await storage.probeWrite()
    expect(await listed(storage)).toEqual([])
  })

  it('keeps the first id, which is not listed as a file', async () => {
    const storage = await open('named')
    expect(await storage.readId()).toBeNull()
    expect([await storage.createId('one'), await storage.createId('two'), await storage.readId()]).toEqual(['one', 'one', 'one'])
    expect(new Set(await Promise.all(['three', 'four'].map((id) => storage.createId(id))))).toEqual(new Set(['one']))
    await storage.write(key('a'), Buffer.from('x'))
    expect(await listed(storage)).toEqual([key('a')])
  })

  it('deletes the files of one organization', async () => {
    const storage = await open('deleted')
    const other = `${newId()}/originals/a`
    for (const each of [key('a'), key('b'), other]) await storage.write(each, Buffer.from('x'))
    expect(await storage.deleteOrganization(organization)).toBe(2)
    expect(await storage.deleteOrganization(organization)).toBe(0)
    expect(await listed(storage)).toEqual([other])
  })

  it('keeps deleted files readable while deletions are held, and deletes them at the end', async () => {
    const storage = await open('held')
    const count = 60
    const files = Array.from({ length: count }, (_, n) => key(String(n)))
    for (const each of files) await storage.write(each, Buffer.from(each))
    const held = await storage.holdDeletions()
    await expect(storage.holdDeletions()).rejects.toThrow('Another backup')
    // Another process does not know of the hold.
    const other = await open('held')
    const seen = new Set<string>()
    let deleted = 0
    for await (const found of held.files()) {
      // Deletes and adds files while they are listed.
      if (deleted < count / 2) await (deleted % 2 === 0 ? storage : other).delete(key(String(count - 1 - deleted++)))
      await storage.write(key(`new-${deleted}`), Buffer.from('new'))
      const { sizeBytes, content } = await held.open(found)
      const bytes = Buffer.concat(await content.toArray()).toString()
      expect([bytes.length, found.includes('new') ? 'new' : found]).toEqual([sizeBytes, bytes])
      seen.add(found)
    }
    expect(files.filter((each) => !seen.has(each))).toEqual([])
    const last = key(String(count - 1))
    expect(await storage.exists(last)).toBe(false)
    await storage.delete(key('missing'))
    await held.release()
    await expect(held.open(last)).rejects.toThrow(MissingFileError)
    const next = await storage.holdDeletions()
    await next.release()
  })
})
