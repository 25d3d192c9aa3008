import { open, type FileHandle } from 'node:fs/promises'
import { syncFolder } from '../../lib/durable-files.ts'
import { advance, isDone, type UnflushedLog } from './deferred-log.ts'

/** Flushes the write-ahead log for the engine, outside its thread: one flush for all commits that have come together. */
export class LogFlusher {
  /** Files and folders flushed so far. */
  flushes = 0
  readonly #progress: BigInt64Array
  #unflushed: UnflushedLog | null = null
  #flushing: Promise<void> | null = null
  #closing = false
  #file: { path: string; handle: FileHandle } | null = null

  constructor(progress: BigInt64Array) {
    this.#progress = progress
  }

  /** Takes the unflushed part of the log, which contains all earlier unflushed parts. */
  note(unflushed: UnflushedLog | null): void {
    if (unflushed !== null) this.#unflushed = unflushed
  }

  /** Resolves when the log is on the device; null if it already is. Rejects if the device fails: its contents are unknown then. */
  flushed(): Promise<void> | null {
    const unflushed = this.#unflushed
    return unflushed === null || isDone(this.#progress, unflushed.request) ? null : this.#reach(unflushed.request)
  }

  /** Ends with the engine. Callers that still wait get their answer. */
  async close(): Promise<void> {
    this.#closing = true
    if (this.#flushing === null) await this.#release()
  }

  async #reach(request: bigint): Promise<void> {
    while (!isDone(this.#progress, request)) {
      this.#flushing ??= this.#flushOnce()
      await this.#flushing
    }
  }

  async #flush(): Promise<void> {
    const unflushed = this.#unflushed
    if (unflushed === null) return
    try {
      for (const path of unflushed.paths) {
        const handle = await this.#handleOf(path)
        await handle.datasync()
        this.flushes++
      }
      if (unflushed.folder !== null) {
        await syncFolder(unflushed.folder)
        this.flushes++
      }
    } catch (error) {
      // The engine's thread has flushed it itself meanwhile, and may have removed the file.
      if (!isDone(this.#progress, unflushed.request)) throw error
    }
    advance(this.#progress, unflushed.request)
  }

  async #flushOnce(): Promise<void> {
    try {
      await this.#flush()
    } finally {
      this.#flushing = null
      if (this.#closing) await this.#release()
    }
  }

  /** Keeps the file that is written now open. Names of the log's files only grow, so a name is never another file's. */
  async #handleOf(path: string): Promise<FileHandle> {
    if (this.#file?.path === path) return this.#file.handle
    await this.#release()
    const handle = await open(path, 'r+')
    this.#file = { path, handle }
    return handle
  }

  async #release(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.handle.close()
  }
}
