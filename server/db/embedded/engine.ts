import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { entryPoint } from '../../lib/entry.ts'
import { compile } from '../../lib/web-assembly.ts'
import { newProgress, type UnflushedLog } from './deferred-log.ts'
import type { DiskCounters } from './durable-file-system.ts'
import { LogFlusher } from './log-flusher.ts'
import { ownedBuffer } from './protocol.ts'

export type Log = (level: 'info' | 'warn' | 'error', message: string, detail?: object) => void

export interface WorkerOptions {
  /** PGlite's program. */
  program: WebAssembly.Module
  dataDir: string
  parameters: Record<string, string>
  logProgress: BigInt64Array
}

/** Counters of the engine since it was started. */
export interface EngineCounters extends DiskCounters {
  /** Milliseconds in which it ran statements. */
  busyMs: number
}

export type ToWorker = { type: 'execute'; bytes: Uint8Array } | { type: 'close' }
export type FromWorker =
  | { type: 'ready'; parameters: Uint8Array }
  | { type: 'reply'; bytes: Uint8Array; counters: EngineCounters; unflushed: UnflushedLog | null }
  | { type: 'log'; level: 'info' | 'warn'; message: string }
  | { type: 'dead'; message: string }
  | { type: 'closed' }

/** The engine is gone, by the watchdog or by itself; its thread has ended. Committed data is on disk. */
export class EngineLost extends Error {
  readonly reason: 'timeout' | 'crash'

  constructor(reason: 'timeout' | 'crash', message: string) {
    super(message)
    this.name = 'EngineLost'
    this.reason = reason
  }
}

/** One PostgreSQL session in a thread of its own. */
export interface Engine {
  /** ParameterStatus messages with the server's real values. */
  readonly parameters: Buffer
  readonly counters: Readonly<EngineCounters>
  /** Runs one group of messages; one at a time. @throws EngineLost, once the thread has ended */
  execute(bytes: Uint8Array, timeoutMs: number): Promise<Buffer>
  /**
   * Resolves when everything committed so far is on the device; null where it is. Rejects with EngineLost where the device
   * fails; the engine ends then.
   */
  flushed(): Promise<void> | null
  close(timeoutMs: number): Promise<void>
  terminate(): Promise<void>
}

const SETTINGS: Record<string, string> = {
  shared_buffers: '128MB',
  work_mem: '8MB',
  max_wal_size: '64MB',
  min_wal_size: '16MB',
  random_page_cost: '1.1',
  jit: 'off',
  log_min_messages: 'log',
  log_checkpoints: 'off',
}

/** Settings that the engine requires, and those that keep commits on disk. They cannot be overridden. */
const FIXED: Record<string, string> = {
  exit_on_error: 'false',
  max_worker_processes: '0',
  max_parallel_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  wal_sync_method: 'fsync',
}

/**
 * The server measures its own stack and refuses statements that are nested too deeply; the thread's must not end before that, or a
 * deeply nested JSON value ends the engine.
 */
const STACK_MB = 64

const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Bytes of code that a WebAssembly function runs before V8 optimizes it, eleven times V8's default. Optimizing functions that only the start
 * runs often would take a third of the processor time of a start.
 */
const tieringBudget = 20_000_000

let program: Promise<WebAssembly.Module> | undefined

/**
 * Returns PGlite's program, compiled once per process: V8 compiles a function at its first call and keeps it with the module, so that
 * a further engine opens in a fifth of the time.
 */
function pgliteProgram(): Promise<WebAssembly.Module> {
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`)
  const file = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm')
  return (program ??= readFile(file).then((bytes) => compile(bytes)))
}

/** @param onLost called once if the engine ends while nothing runs */
export async function startEngine(
  options: { dataDir: string; parameters?: Record<string, string>; log: Log },
  onLost: (error: EngineLost) => void,
): Promise<Engine> {
  const logProgress = newProgress()
  const worker = new Worker(entryPoint(import.meta.url, './worker'), {
    name: 'database',
    resourceLimits: { stackSizeMb: STACK_MB },
    workerData: {
      program: await pgliteProgram(),
      dataDir: options.dataDir,
      parameters: { ...SETTINGS, ...options.parameters, ...FIXED },
      logProgress,
    } satisfies WorkerOptions,
  })
  const running = new RunningEngine(worker, new LogFlusher(logProgress), options.log)
  await running.started
  running.onLost = onLost
  return running
}

type Settle<T> = { resolve: (value: T) => void; reject: (error: Error) => void }

class RunningEngine implements Engine {
  parameters = Buffer.alloc(0)
  #counters: EngineCounters = { syncs: 0, syncMs: 0, walBytes: 0, busyMs: 0 }
  onLost: ((error: EngineLost) => void) | null = null
  readonly started: Promise<void>
  readonly #worker: Worker
  readonly #flusher: LogFlusher
  readonly #log: Log
  readonly #exited: Promise<void>
  #start: Settle<void> | null = null
  #pending: Settle<Buffer> | null = null
  #lost: EngineLost | null = null
  #closed: (() => void) | null = null

  constructor(worker: Worker, flusher: LogFlusher, log: Log) {
    this.#worker = worker
    this.#flusher = flusher
    this.#log = log
    this.started = new Promise((resolve, reject) => (this.#start = { resolve, reject }))
    this.#exited = new Promise((resolve) => worker.once('exit', resolve)).then(() => this.#exit())
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', (error) => (this.#lost ??= new EngineLost('crash', String(error))))
  }

  #exit(): void {
    const error = (this.#lost ??= new EngineLost('crash', 'the database thread ended'))
    this.#start?.reject(error)
    if (this.#pending !== null) this.#pending.reject(error)
    else if (this.#closed === null) this.onLost?.(error)
    this.#pending = null
    this.#closed?.()
    void this.#flusher.close()
  }

  get counters(): EngineCounters {
    return { ...this.#counters, syncs: this.#counters.syncs + this.#flusher.flushes }
  }

  flushed(): Promise<void> | null {
    return (
      this.#flusher.flushed()?.catch(async (error: unknown) => {
        const lost = (this.#lost ??= new EngineLost('crash', `the write-ahead log could not be flushed: ${String(error)}`))
        await this.terminate()
        throw lost
      }) ?? null
    )
  }

  async execute(bytes: Uint8Array, timeoutMs: number): Promise<Buffer> {
    if (this.#lost !== null) throw this.#lost
    const limit = Number.isFinite(timeoutMs) ? setTimeout(() => this.#expire(timeoutMs), Math.min(timeoutMs, LONGEST_TIMER_MS)) : undefined
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        this.#pending = { resolve, reject }
        this.#worker.postMessage({ type: 'execute', bytes } satisfies ToWorker, ownedBuffer(bytes))
      })
    } finally {
      clearTimeout(limit)
    }
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#lost !== null) return
    let limit: NodeJS.Timeout | undefined
    await new Promise<void>((resolve) => {
      this.#closed = resolve
      limit = setTimeout(resolve, timeoutMs)
      this.#worker.postMessage({ type: 'close' } satisfies ToWorker)
    })
    clearTimeout(limit)
    await this.terminate()
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
    await this.#exited
  }

  #expire(timeoutMs: number): void {
    this.#lost ??= new EngineLost('timeout', `canceling statement: it ran longer than ${timeoutMs} ms`)
    void this.#worker.terminate()
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case 'ready':
        this.parameters = Buffer.from(message.parameters)
        return this.#start?.resolve()
      case 'reply': {
        this.#counters = message.counters
        this.#flusher.note(message.unflushed)
        const pending = this.#pending
        this.#pending = null
        return pending?.resolve(Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength))
      }
      case 'log':
        return this.#log(message.level, `database: ${message.message}`)
      case 'dead':
        this.#lost ??= new EngineLost('crash', message.message)
        return undefined
      case 'closed':
        return this.#closed?.()
    }
  }
}
