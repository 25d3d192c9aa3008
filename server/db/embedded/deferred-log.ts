import { flushFile, flushFolder } from './file-flusher.ts'

/** The part of the write-ahead log that is not known to be on the device. */
export interface UnflushedLog {
  /** Number of the newest request to flush; all up to it may be open. */
  readonly request: bigint
  /** The files that the open requests are about. */
  readonly paths: readonly string[]
  /** The folder of the log, if files in it were renamed since its last flush. */
  readonly folder: string | null
}

/** Makes the number of the newest request that is done, which the engine's thread and the main thread share. */
export const newProgress = (): BigInt64Array => new BigInt64Array(new SharedArrayBuffer(8))

export const isDone = (progress: BigInt64Array, request: bigint): boolean => Atomics.load(progress, 0) >= request

/** Notes that all requests up to this one are done. */
export function advance(progress: BigInt64Array, request: bigint): void {
  let known = Atomics.load(progress, 0)
  while (known < request) {
    const found = Atomics.compareExchange(progress, 0, known, request)
    if (found === known) return
    known = found
  }
}

/**
 * Puts off the engine's requests to flush its write-ahead log. A flush takes seconds while the disk is busy, and the engine's
 * thread would wait for it with its one session. Instead the main thread flushes, and answers no commit before that
 * (`LogFlusher`); other connections use the session meanwhile.
 *
 * The server relies on a second property of a flush: it writes no page, and removes no file, before the log of the change is
 * on the device. So `settle` comes before each such operation.
 */
export class DeferredLog {
  readonly #progress: BigInt64Array
  #request = 0n
  readonly #paths = new Map<string, bigint>()
  #folder: { path: string; request: bigint } | null = null

  constructor(progress: BigInt64Array) {
    this.#progress = progress
  }

  /** Takes a request to flush a file of the log. */
  defer(path: string): void {
    this.#request += 1n
    this.#paths.set(path, this.#request)
  }

  /** Takes a request to flush the folder of the log. */
  deferFolder(path: string): void {
    this.#request += 1n
    this.#folder = { path, request: this.#request }
  }

  /** Drops the request to flush a file whose contents are not read any more. */
  forget(path: string): void {
    this.#paths.delete(path)
  }

  /** Returns null when all requests are done. */
  unflushed(): UnflushedLog | null {
    for (const [path, request] of this.#paths) if (isDone(this.#progress, request)) this.#paths.delete(path)
    if (this.#folder !== null && isDone(this.#progress, this.#folder.request)) this.#folder = null
    if (this.#paths.size === 0 && this.#folder === null) return null
    return { request: this.#request, paths: [...this.#paths.keys()], folder: this.#folder?.path ?? null }
  }

  /** Does the open requests in this thread. Returns how many files and folders it flushed; throws the system's error. */
  settle(): number {
    const unflushed = this.unflushed()
    if (unflushed === null) return 0
    unflushed.paths.forEach(flushFile)
    if (unflushed.folder !== null) flushFolder(unflushed.folder)
    advance(this.#progress, unflushed.request)
    return unflushed.paths.length + (unflushed.folder === null ? 0 : 1)
  }
}
