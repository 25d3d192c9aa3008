import { closeSync, mkdirSync, openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { DeferredLog, newProgress } from './deferred-log.ts'
import { DurableFileSystem } from './durable-file-system.ts'

class ErrnoError extends Error {
  readonly errno: number
  constructor(errno: number) {
    super()
    this.errno = errno
  }
}

const segment = '000000010000000000000001'
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundwork-files-'))
  mkdirSync(join(folder, 'pg_wal'))
  await writeFile(join(folder, 'pg_wal', segment), 'log')
})
afterEach(() => rm(folder, { recursive: true }))

interface Node {
  name: string
  parent: { name: string }
}

/** The engine's file layer with our part in it. Its own operations note what was open of the log when they ran. */
async function installed(onLogLost: (error: unknown) => never = (error) => expect.fail(String(error))) {
  const log = new DeferredLog(newProgress())
  const ran: [string, boolean][] = []
  const note =
    (operation: string) =>
    (..._given: unknown[]): number => {
      ran.push([operation, log.unflushed() === null])
      return 0
    }
  const files = {
    realPath: ({ name, parent }: Node) => join(folder, parent.name, name),
    stream_ops: { write: note('write'), setattr: note('truncate'), fsync: undefined as undefined | ((file: object) => number) },
    node_ops: { setattr: note('truncate by name'), rename: note('rename'), unlink: note('unlink'), rmdir: note('rmdir') },
  }
  const system = new DurableFileSystem(join(folder, 'pgdata'), log, onLogLost)
  const { emscriptenOpts } = await system.init({} as PGlite, {})
  emscriptenOpts.preRun?.[0]?.({ FS: { filesystems: { NODEFS: files }, ErrnoError } } as never)
  const open = (parent: string, name: string) => {
    const nfd = openSync(join(folder, parent, name), 'r')
    onTestFinished(() => closeSync(nfd))
    return { nfd, node: { name, parent: { name: parent } } }
  }
  const fsync = (file: object): number => files.stream_ops.fsync?.(file) ?? expect.fail('not installed')
  return { files, system, log, ran, open, fsync }
}

it('flushes files and folders, and reports a failure as an errno of the engine', async () => {
  const { system, open, fsync } = await installed()
  await writeFile(join(folder, 'file'), '')
  for (const name of ['.', 'file']) expect(fsync(open('.', name))).toBe(0)
  system.flushRequested()
  expect(system.counters.syncs).toBe(2)
  expect(() => fsync({ nfd: 999_999, node: { name: 'file' } })).toThrow(expect.objectContaining({ errno: 8 }))
  expect(system.counters.syncs).toBe(2)
})

it.each([
  [1, false],
  [50, false],
  [3, true],
  [50, true],
])('flushes %i files together (in threads: %s) before the next operation of another kind', async (count, inThreads) => {
  const { files, system, open, fsync } = await installed()
  if (inThreads) system.startFlushing()
  for (let name = 0; name < count; name++) {
    await writeFile(join(folder, String(name)), 'page')
    fsync(open('.', String(name)))
    fsync(open('.', String(name)))
  }
  expect(system.counters.syncs).toBe(0)
  files.node_ops.rename({}, {}, '1234')
  expect(system.counters.syncs).toBe(count)
  fsync(open('.', '0'))
  files.stream_ops.write({ node: { name: segment, parent: { name: 'pg_wal' } } }, new Uint8Array(1), 0, 1, 0)
  expect(system.counters.syncs).toBe(count + 1)
})

it.each([1, 50])('ends the engine when one of %i files cannot be flushed', async (count) => {
  const { files, system, ran, open, fsync } = await installed(() => {
    throw new Error('ended')
  })
  system.startFlushing()
  for (let name = 0; name < count; name++) {
    await writeFile(join(folder, String(name)), 'page')
    fsync(open('.', String(name)))
  }
  await rm(join(folder, '0'))
  expect(() => files.node_ops.rename({}, {}, '1234')).toThrow('ended')
  expect(ran).toEqual([])
})

it('puts off flushes of the write-ahead log, and of nothing else in its folder', async () => {
  const { system, log, open, fsync } = await installed()
  expect(fsync(open('pg_wal', segment))).toBe(0)
  expect(system.counters.syncs).toBe(0)
  expect(log.unflushed()).toEqual({ request: 1n, paths: [join(folder, 'pg_wal', segment)], folder: null })
  await writeFile(join(folder, 'pg_wal', 'xlogtemp.1'), '')
  fsync(open('pg_wal', 'xlogtemp.1'))
  system.flushRequested()
  expect([system.counters.syncs, log.unflushed()]).toEqual([2, null])
})

it.each([
  ['write', 'stream_ops', 'write'],
  ['truncate', 'stream_ops', 'setattr'],
  ['truncate by name', 'node_ops', 'setattr'],
  ['rename', 'node_ops', 'rename'],
  ['unlink', 'node_ops', 'unlink'],
  ['rmdir', 'node_ops', 'rmdir'],
] as const)('has the log on the device before anything is changed: %s', async (operation, group, name) => {
  const { files, system, ran, open, fsync } = await installed()
  fsync(open('pg_wal', segment))
  const run = (files[group] as Record<string, (...given: unknown[]) => unknown>)[name]
  run?.({ node: { name: '1234', parent: { name: 'base' } } }, new Uint8Array(1), 0, 1, 0)
  expect(ran).toEqual([[operation, true]])
  expect(system.counters.syncs).toBe(1)
})

it('lets the log itself be written on', async () => {
  const { files, system, ran, open, fsync } = await installed()
  fsync(open('pg_wal', segment))
  files.stream_ops.write({ node: { name: segment, parent: { name: 'pg_wal' } } }, new Uint8Array(1), 0, 1, 0)
  expect([ran, system.counters.syncs]).toEqual([[['write', false]], 0])
})

it('renames a segment of the log without a flush, and flushes the folder once with the next commit', async () => {
  const { files, system, log, ran, open, fsync } = await installed()
  const parent = { name: 'pg_wal' }
  for (const name of ['000000010000000000000005', '000000010000000000000006']) {
    // As the engine does it: the old name, the rename, the new name, the folder.
    fsync(open('pg_wal', segment))
    files.node_ops.rename({ name: segment, parent }, parent, name)
    fsync({ nfd: 0, node: { name, parent } })
    fsync(open('.', 'pg_wal'))
  }
  expect(ran.map(([operation]) => operation)).toEqual(['rename', 'rename'])
  expect(system.counters.syncs).toBe(0)
  expect(log.unflushed()).toMatchObject({ paths: [], folder: join(folder, 'pg_wal') })
  files.stream_ops.write({ node: { name: '1234', parent: { name: 'base' } } }, new Uint8Array(1), 0, 1, 0)
  expect([system.counters.syncs, log.unflushed()]).toEqual([1, null])
})

it('flushes a renamed segment once it was written', async () => {
  const { files, log, fsync } = await installed()
  const parent = { name: 'pg_wal' }
  const renamed = { nfd: 0, node: { name: '000000010000000000000005', parent } }
  files.node_ops.rename({ name: segment, parent }, parent, renamed.node.name)
  files.stream_ops.write(renamed, new Uint8Array(1), 0, 1, 0)
  fsync(renamed)
  expect(log.unflushed()?.paths).toEqual([join(folder, 'pg_wal', renamed.node.name)])
})

it('has the control file on the device before a segment of the log is renamed or removed', async () => {
  const { files, system, open, fsync } = await installed()
  const parent = { name: 'pg_wal' }
  await writeFile(join(folder, 'pg_control'), 'checkpoint')
  fsync(open('.', 'pg_control'))
  files.node_ops.rename({ name: segment, parent }, parent, '000000010000000000000005')
  expect(system.counters.syncs).toBe(1)
  fsync(open('.', 'pg_control'))
  files.node_ops.unlink(parent, '000000010000000000000005')
  expect(system.counters.syncs).toBe(2)
})

it('ends the engine when the log cannot be flushed: another attempt could succeed without the data', async () => {
  const { files, ran, open, fsync } = await installed(() => {
    throw new Error('ended')
  })
  fsync(open('pg_wal', segment))
  await rm(join(folder, 'pg_wal', segment))
  expect(() => files.node_ops.unlink({}, '1234')).toThrow('ended')
  expect(ran).toEqual([])
})
