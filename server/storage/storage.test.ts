import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { StorageLimitError } from './storage-error.ts'
import { localStorage } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'groundwork-storage-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const storage = await localStorage(join(folder, 'files'))

describe('the local folder', () => {
  it('streams ranges of bytes to the end, even if the file is deleted meanwhile', async () => {
    await storage.write('org/originals/r', Buffer.from('0123456789'))
    expect(await storage.sizeBytes('org/originals/r')).toBe(10)
    const [all, some] = [await storage.open('org/originals/r', null), await storage.open('org/originals/r', { start: 2, end: 4 })]
    await storage.delete('org/originals/r')
    expect([await text(all), await text(some)]).toEqual(['0123456789', '234'])
  })

  it('leaves no unfinished file of a stream that is too long or fails', async () => {
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

  it('reports whether it is writable, and leaves no file behind', async () => {
    const own = await localStorage(join(folder, 'probed'))
    await own.probeWrite()
    expect(await readdir(join(folder, 'probed'))).toEqual([])
    await rm(join(folder, 'probed'), { recursive: true })
    await expect(own.probeWrite()).rejects.toThrow('ENOENT')
  })

  it('stores files of an organization again after another process has deleted it', async () => {
    const path = await mkdtemp(join(tmpdir(), 'groundwork-storage-'))
    const [one, other] = [await localStorage(path), await localStorage(path)]
    await one.write('org/originals/a', Buffer.from('a'))
    await other.deleteOrganization('org')
    await Promise.all(['b', 'c'].map((name) => one.write(`org/originals/${name}`, Buffer.from(name))))
    expect((await one.read('org/originals/c')).toString()).toBe('c')
    await rm(path, { recursive: true })
  })

  it('is not readable for other users', async () => {
    await storage.write('org/private/a', Buffer.from('x'))
    expect((await stat(join(folder, 'files'))).mode & 0o077).toBe(0)
    expect((await stat(join(folder, 'files/org/private/a'))).mode & 0o077).toBe(0)
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
