import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { localStorage, MissingFileError, StorageLimitError } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'groundwork-storage-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const storage = await localStorage(join(folder, 'files'))

describe('the local folder', () => {
  it('stores and replaces bytes and streams', async () => {
    expect(await storage.write('org/originals/a', Buffer.from('first'))).toBe(5)
    expect(await storage.write('org/originals/a', Readable.from([Buffer.from('sec'), Buffer.from('ond')]))).toBe(6)
    expect((await storage.read('org/originals/a')).toString()).toBe('second')
    expect(await storage.exists('org/originals/a')).toBe(true)
    await storage.delete('org/originals/a')
    await storage.delete('org/originals/a')
    expect(await storage.exists('org/originals/a')).toBe(false)
    await expect(storage.read('org/originals/a')).rejects.toThrow(MissingFileError)
    await expect(storage.open('org/originals/a', null)).rejects.toThrow(MissingFileError)
    await expect(storage.sizeBytes('org/originals/a')).rejects.toThrow(MissingFileError)
  })

  it('streams ranges of bytes to the end, even if the file is deleted meanwhile', async () => {
    await storage.write('org/originals/r', Buffer.from('0123456789'))
    expect(await storage.sizeBytes('org/originals/r')).toBe(10)
    const [all, some] = [await storage.open('org/originals/r', null), await storage.open('org/originals/r', { start: 2, end: 4 })]
    await storage.delete('org/originals/r')
    expect([await text(all), await text(some)]).toEqual(['0123456789', '234'])
  })

  it('stores nothing of a stream that is too long or fails', async () => {
    await storage.write('org/kept/a', Buffer.from('before'))
    const broken = new Readable({
      read() {
        this.push('half')
        this.destroy(new Error('the sender is gone'))
      },
    })
    await expect(storage.write('org/kept/a', Readable.from([Buffer.alloc(11)]), 10)).rejects.toThrow(StorageLimitError)
    await expect(storage.write('org/kept/a', broken)).rejects.toThrow('the sender is gone')
    expect((await storage.read('org/kept/a')).toString()).toBe('before')
    expect(await readdir(join(folder, 'files/org/kept'))).toEqual(['a'])
  })

  it.each(['../x', 'a/../../x', '/etc/passwd', 'a', 'a//b', 'a/b\0', 'a/b c'])('refuses the key %j', async (key) => {
    await expect((async () => storage.write(key, Buffer.from('x')))()).rejects.toThrow('invalid storage key')
  })

  it('reports whether it is writable, and leaves no file behind', async () => {
    const own = await localStorage(join(folder, 'probed'))
    await own.probeWrite()
    expect(await readdir(join(folder, 'probed'))).toEqual([])
    await rm(join(folder, 'probed'), { recursive: true })
    await expect(own.probeWrite()).rejects.toThrow('ENOENT')
  })

  it('keeps the first id, which is not listed as a file', async () => {
    const own = await localStorage(join(folder, 'named'))
    expect(await own.readId()).toBeNull()
    expect([await own.createId('one'), await own.createId('two'), await own.readId()]).toEqual(['one', 'one', 'one'])
    await own.write('org/originals/a', Buffer.from('x'))
    const keys: string[] = []
    for await (const { key } of own.files()) keys.push(key)
    expect(keys).toEqual(['org/originals/a'])
  })

  it('is not readable for other users', async () => {
    await storage.write('org/private/a', Buffer.from('x'))
    expect((await stat(join(folder, 'files'))).mode & 0o077).toBe(0)
    expect((await stat(join(folder, 'files/org/private/a'))).mode & 0o077).toBe(0)
  })

  it('keeps deleted files readable while deletions are held, and deletes them at the end', async () => {
    const own = await localStorage(join(folder, 'held'))
    const key = (n: number): string => `org/files/${n}`
    for (let n = 0; n < 300; n++) await own.write(key(n), Buffer.from(key(n)))
    const held = await own.holdDeletions()
    await expect(own.holdDeletions()).rejects.toThrow('Another backup')
    // Another process does not know of the hold.
    const other = await localStorage(join(folder, 'held'))
    const seen = new Set<string>()
    let deleted = 0
    for await (const found of held.files()) {
      // Deletes and adds files while they are listed.
      if (deleted < 150) await (deleted % 2 === 0 ? own : other).delete(key(299 - deleted++))
      await own.write(`org/files/new-${deleted}`, Buffer.from('new'))
      const { sizeBytes, content } = await held.open(found)
      const bytes = Buffer.concat(await content.toArray()).toString()
      expect([bytes.length, found.includes('new') ? 'new' : found]).toEqual([sizeBytes, bytes])
      seen.add(found)
    }
    expect(Array.from({ length: 300 }, (_, n) => key(n)).filter((each) => !seen.has(each))).toEqual([])
    expect(await own.exists(key(299))).toBe(false)
    await own.delete('org/files/missing')
    await held.release()
    expect(await readdir(join(folder, 'held'))).toEqual(['org'])
    await expect(held.open(key(299))).rejects.toThrow(MissingFileError)
  })

  it('deletes the held files of a killed process', async () => {
    const own = await localStorage(join(folder, 'killed'))
    await own.write('org/files/a', Buffer.from('a'))
    const held = await own.holdDeletions()
    await own.delete('org/files/a')
    const past = new Date(Date.now() - 120_000)
    await utimes(join(folder, 'killed/.held/hold'), past, past)
    await localStorage(join(folder, 'killed'))
    expect(await readdir(join(folder, 'killed'))).toEqual(['org'])
    await held.release()
  })
})
