import { fstatSync, fsyncSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { DeferredLog } from './deferred-log.ts'
import { FileFlusher } from './file-flusher.ts'

/** Disk operations of the engine since it was opened. */
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
  filesystems: { NODEFS: NodeFiles }
  ErrnoError: new (errno: number) => Error
}
interface NodeFiles {
  realPath(node: FileNode): string
  stream_ops: StreamOperations
  node_ops: NodeOperations
}
interface FileNode {
  name?: string
  parent?: FileNode
}
interface OpenFile {
  nfd?: number
  node: FileNode
}
interface StreamOperations {
  write(file: OpenFile, buffer: Uint8Array, offset: number, length: number, position: number): number
  setattr(file: OpenFile, attributes: object): void
  fsync?(file: OpenFile): number
}
interface NodeOperations {
  setattr(node: FileNode, attributes: object): void
  rename(node: FileNode, folder: FileNode, name: string): void
  unlink(folder: FileNode, name: string): void
  rmdir(folder: FileNode, name: string): void
}

/** Error numbers of the engine for a failed flush; they differ from those of Linux. */
const ERRNO: Record<string, number> = { EBADF: 8, EDQUOT: 19, EINVAL: 28, EIO: 29, ENOSPC: 51, EROFS: 69 }

/**
 * A folder on disk in which a flush is a flush: as shipped the engine's fsync returns at once and does nothing. Flushes of the
 * write-ahead log are put off, see `DeferredLog`. Consecutive flushes of other files are collected and done together before
 * the next operation of another kind, so a checkpoint flushes its files in parallel (`FileFlusher`).
 *
 * A checkpoint also recycles segments of the log: it renames old ones to the names of coming ones, and requests three flushes for
 * each. The contents need none, because they will be overwritten. The folder is flushed once, before the next commit is answered.
 * If the program is killed before that, the next start finds an old segment, which it does not read.
 */
export class DurableFileSystem extends NodeFS {
  readonly counters: DiskCounters = { syncs: 0, syncMs: 0, walBytes: 0 }
  readonly #log: DeferredLog
  readonly #onLost: (error: unknown) => never
  readonly #flusher = new FileFlusher()
  /** Files whose flush the engine has requested and which are not flushed yet. */
  readonly #requested = new Set<string>()
  /** Segments of the log that were renamed and not written since. */
  readonly #renamed = new Set<string>()

  /** @param onLost ends the engine: a file could not be flushed, and another attempt could succeed without the data */
  constructor(dataDir: string, log: DeferredLog, onLost: (error: unknown) => never) {
    super(dataDir)
    this.#log = log
    this.#onLost = onLost
  }

  override async init(engine: PGlite, options: EngineOptions): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(engine, options)
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [(module) => this.#install(fileLayer(module)), ...(emscriptenOpts.preRun ?? [])] },
    }
  }

  #install(layer: FileLayer): void {
    const files = layer.filesystems.NODEFS
    const { stream_ops: streams, node_ops: nodes } = files
    const { counters } = this
    const settle = (): void => {
      this.flushRequested()
      this.#settleLog()
    }
    const settled = <Given extends unknown[]>(operation: (...given: Given) => void) => {
      return (...given: Given): void => {
        settle()
        operation(...given)
      }
    }
    files.node_ops = {
      ...nodes,
      setattr: settled((node: FileNode, attributes: object) => nodes.setattr(node, attributes)),
      rename: (node, folder, name) => {
        if (!isLogFile({ name, parent: folder })) {
          settle()
          return nodes.rename(node, folder, name)
        }
        this.flushRequested()
        const path = files.realPath(node)
        nodes.rename(node, folder, name)
        this.#log.forget(path)
        this.#renamed.add(join(dirname(path), name))
      },
      unlink: (folder, name) => {
        if (isLogFile({ name, parent: folder })) this.flushRequested()
        else settle()
        nodes.unlink(folder, name)
      },
      rmdir: settled((folder: FileNode, name: string) => nodes.rmdir(folder, name)),
    }
    files.stream_ops = {
      ...streams,
      setattr: settled((file: OpenFile, attributes: object) => streams.setattr(file, attributes)),
      write: (file, buffer, offset, length, position) => {
        if (file.node.parent?.name === logFolder) {
          this.flushRequested()
          this.#renamed.delete(files.realPath(file.node))
          counters.walBytes += length
        } else settle()
        return streams.write(file, buffer, offset, length, position)
      },
      fsync: (file) => {
        if (file.nfd === undefined) return 0
        if (isLogFile(file.node)) {
          this.flushRequested()
          const path = files.realPath(file.node)
          if (!this.#renamed.delete(path)) this.#log.defer(path)
          return 0
        }
        try {
          const isFolder = fstatSync(file.nfd).isDirectory()
          if (isFolder && file.node.name === logFolder) {
            this.flushRequested()
            this.#log.deferFolder(files.realPath(file.node))
            return 0
          }
          this.#settleLog()
          if (!isFolder) {
            this.#requested.add(files.realPath(file.node))
            return 0
          }
          this.flushRequested()
          const { nfd } = file
          this.#count(() => {
            fsyncSync(nfd)
            return 1
          })
        } catch (error) {
          // Any other kind of error would unwind the engine instead of reaching it, and it would try again for ever.
          throw new layer.ErrnoError(ERRNO[codeOf(error)] ?? 29)
        }
        return 0
      },
    }
  }

  /** Starts threads that flush files in parallel, which takes some processor time: not worth it for an engine that soon ends. */
  startFlushing(): void {
    this.#flusher.start()
  }

  /** Flushes the files that the engine has requested. Also to be called before an answer leaves the engine. */
  flushRequested(): void {
    if (this.#requested.size === 0) return
    const paths = [...this.#requested]
    this.#requested.clear()
    this.#flushOrEnd(() => {
      this.#flusher.flush(paths)
      return paths.length
    })
  }

  #settleLog(): void {
    this.#flushOrEnd(() => this.#log.settle())
  }

  #flushOrEnd(flush: () => number): void {
    try {
      this.#count(flush)
    } catch (error) {
      this.#onLost(error)
    }
  }

  /** Runs a function that returns how many files it flushed, and counts them and its time. */
  #count(flush: () => number): void {
    const began = performance.now()
    const flushes = flush()
    if (flushes === 0) return
    this.counters.syncs += flushes
    this.counters.syncMs += performance.now() - began
  }
}

const logFolder = 'pg_wal'

/** A segment of the log; the other files of its folder are flushed when they are made. */
const isLogFile = ({ name = '', parent }: FileNode): boolean => parent?.name === logFolder && /^[0-9A-F]{24}$/.test(name)

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** The module of 0.5.14 has these parts; the version is pinned. */
function fileLayer(module: unknown): FileLayer {
  return (module as { FS: FileLayer }).FS
}
