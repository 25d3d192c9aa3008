import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DurableFileSystem } from './durable-file-system.ts'

class ErrnoError extends Error {
  readonly errno: number
  constructor(errno: number) {
    super()
    this.errno = errno
  }
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'groundwork-files-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('flushes files and folders, and tells a failure in the engine’s own terms', async () => {
  const files = new DurableFileSystem(join(folder, 'pgdata'))
  const { emscriptenOpts } = await files.init({} as PGlite, {})
  const operations: { write: () => number; fsync?: (file: object) => number } = { write: () => 0 }
  const layer = {
    filesystems: { NODEFS: { stream_ops: operations } },
    ErrnoError,
  }
  emscriptenOpts.preRun?.[0]?.({ FS: layer } as never)
  const { fsync } = layer.filesystems.NODEFS.stream_ops
  if (fsync === undefined) throw new Error('not installed')
  for (const path of [folder, join(folder, 'file')]) {
    const handle = await open(path, path === folder ? 'r' : 'w')
    expect(fsync({ nfd: handle.fd })).toBe(0)
    await handle.close()
  }
  expect(files.counters.syncs).toBe(2)
  expect(() => fsync({ nfd: 999_999 })).toThrow(expect.objectContaining({ errno: 8 }))
  expect(files.counters.syncs).toBe(2)
})
