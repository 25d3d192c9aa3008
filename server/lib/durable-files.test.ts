import { mkdtemp, open, readdir, readFile, readlink, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFileIfMissing, makeFolder, removeFile, writeFileAtomically } from './durable-files.ts'

let folder = ''
let synced: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundwork-durable-'))
  synced = []
  // The class of file handles is not exported: its prototype is that of an open handle.
  const handle = await open(folder)
  const prototype = Object.getPrototypeOf(handle) as typeof handle
  await handle.close()
  const sync = Reflect.get(prototype, 'sync')
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: typeof handle) {
    const path = await readlink(`/proc/self/fd/${this.fd}`)
    // A database of another test in the same process flushes its own files.
    if (path.startsWith(folder)) synced.push(path.replace(folder, '').replace(/\.[\w-]{36}\.part$/, ' (temporary)'))
    await Reflect.apply(sync, this, [])
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

describe.skipIf(process.platform !== 'linux')('flushing to the device (Linux)', () => {
  it('flushes a file before its rename, then its folder', async () => {
    await writeFileAtomically(join(folder, 'a'), Readable.from([Buffer.from('bytes')]))
    expect([synced, await readFile(join(folder, 'a'), 'utf8')]).toEqual([['/a (temporary)', ''], 'bytes'])
  })

  it('flushes the parents of all created folders', async () => {
    await makeFolder(join(folder, 'one/two/three'))
    expect(synced).toEqual(['/one/two', '/one', ''])
    synced.length = 0
    await makeFolder(join(folder, 'one/two/three'))
    expect(synced).toEqual([])
  })

  it('flushes the parents of existing folders, from the given folder on', async () => {
    await makeFolder(join(folder, 'root/one/two'))
    synced.length = 0
    await makeFolder(join(folder, 'root/one/two'), join(folder, 'root/one'))
    expect(synced).toEqual(['/root/one', '/root'])
  })

  it('flushes the folder of a removed file', async () => {
    await writeFileAtomically(join(folder, 'a'), Buffer.from('x'))
    synced.length = 0
    await removeFile(join(folder, 'a'))
    expect([synced, await readdir(folder)]).toEqual([[''], []])
  })
})

describe('a file', () => {
  it('created concurrently has the complete bytes of one caller', async () => {
    const path = join(folder, 'key')
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(64, '0'))
    const seen = await Promise.all(
      contents.map(async (content) => {
        await createFileIfMissing(path, Buffer.from(content))
        return readFile(path, 'utf8')
      }),
    )
    expect(new Set(seen).size).toBe(1)
    expect(contents).toContain(seen[0])
    expect(await readdir(folder)).toEqual(['key'])
    expect((await stat(path)).mode & 0o077).toBe(0)
  })

  it('leaves no temporary file if the rename fails', async () => {
    await makeFolder(join(folder, 'taken/by a folder'))
    await expect(writeFileAtomically(join(folder, 'taken'), Buffer.from('x'))).rejects.toThrow('EISDIR')
    expect(await readdir(folder)).toEqual(['taken'])
  })

  it('can be removed although its folder does not exist', async () => {
    await expect(removeFile(join(folder, 'missing folder/a'))).resolves.toBeUndefined()
  })
})
