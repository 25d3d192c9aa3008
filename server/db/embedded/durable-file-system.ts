import { fdatasyncSync, fstatSync, fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What the engine did to the disk since it was opened. */
export interface DiskCounters {
  /** Files and folders flushed to the device. */
  syncs: number
  /** Milliseconds that flushing took. */
  syncMs: number
  /** Bytes written to the write-ahead log, whole pages. */
  walBytes: number
}

type EngineOptions = Parameters<NodeFS['init']>[1]

/** The part of the engine's own file layer that is changed here; its typings do not show it. */
interface FileLayer {
  filesystems: { NODEFS: { stream_ops: StreamOperations } }
  ErrnoError: new (errno: number) => Error
}
interface OpenFile {
  nfd?: number
  node: { parent?: { name?: string } }
}
interface StreamOperations {
  write(file: OpenFile, buffer: Uint8Array, offset: number, length: number, position: number): number
  fsync?(file: OpenFile): number
}

/** The engine's numbers for what a flush may answer; they are not Linux's. */
const ERRNO: Record<string, number> = { EBADF: 8, EDQUOT: 19, EINVAL: 28, EIO: 29, ENOSPC: 51, EROFS: 69 }

/** A folder on disk in which a flush is a flush: as shipped the engine's fsync returns at once and does nothing. */
export class DurableFileSystem extends NodeFS {
  readonly counters: DiskCounters = { syncs: 0, syncMs: 0, walBytes: 0 }

  override async init(engine: PGlite, options: EngineOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options)
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [(module) => this.#install(fileLayer(module)), ...(emscriptenOpts.preRun ?? [])] },
    }
  }

  #install(layer: FileLayer): void {
    const operations = layer.filesystems.NODEFS.stream_ops
    const { counters } = this
    layer.filesystems.NODEFS.stream_ops = {
      ...operations,
      write(file, buffer, offset, length, position) {
        if (file.node.parent?.name === 'pg_wal') counters.walBytes += length
        return operations.write(file, buffer, offset, length, position)
      },
      fsync(file) {
        if (file.nfd === undefined) return 0
        const began = performance.now()
        try {
          flush(file.nfd)
        } catch (error) {
          // Any other kind of error would unwind the engine instead of reaching it, and it would try again for ever.
          throw new layer.ErrnoError(ERRNO[codeOf(error)] ?? 29)
        }
        counters.syncs++
        counters.syncMs += performance.now() - began
        return 0
      },
    }
  }
}

/** A folder needs fsync for its entries; for a file fdatasync covers the contents and the length. */
function flush(descriptor: number): void {
  if (fstatSync(descriptor).isDirectory()) fsyncSync(descriptor)
  else fdatasyncSync(descriptor)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The module of 0.5.14 has these parts; the version is pinned. */
function fileLayer(module: unknown): FileLayer {
  return (module as { FS: FileLayer }).FS
}
