import { flushFile } from './file-flusher.ts'

/** The part of the write-ahead log that is not known to be on the device. */
export interface UnflushedLog {
  /** Number of the newest request to flush; all up to it may be open. */
  readonly request: bigint
  /** The files that the open requests are about. */
  readonly paths: readonly string[]
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

  constructor(progress: BigInt64Array) {
    this.#progress = progress
  }

  /** Takes a request to flush a file of the log. */
  defer(path: string): void {
    this.#request += 1n
    this.#paths.set(path, this.#request)
  }

  /** Returns null when all requests are done. */
  unflushed(): UnflushedLog | null {
    for (const [path, request] of this.#paths) if (isDone(this.#progress, request)) this.#paths.delete(path)
    return this.#paths.size === 0 ? null : { request: this.#request, paths: [...this.#paths.keys()] }
  }

  /** Does the open requests in this thread. Returns how many files it flushed; throws the system's error. */
  settle(): number {
    const unflushed = this.unflushed()
    if (unflushed === null) return 0
    unflushed.paths.forEach(flushFile)
    advance(this.#progress, unflushed.request)
    return unflushed.paths.length
  }
}
