import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { clusterFolder } from './cluster.ts'
import { DeferredLog } from './deferred-log.ts'
import { DurableFileSystem } from './durable-file-system.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './engine.ts'
import { joinOwned, messages, ownedBuffer, typeOf } from './protocol.ts'

const LONGJMP = 100
const MAIN_LOOP = '_PostgresMainLoopOnce'
/** Before the first checkpoint of the maintenance. */
const flushThreadsAfterMs = 2000

const options = workerOptions(workerData)
const reply = { parts: [] as Uint8Array[] }
let busyMs = 0

try {
  const log = new DeferredLog(options.logProgress)
  const files = new DurableFileSystem(clusterFolder(options.dataDir), log, die)
  const engine = await PGlite.create({
    fs: files,
    pgliteWasmModule: options.program,
    extensions: { vector, pg_trgm },
    startParams: ['--single', ...Object.entries(options.parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    onStderr: logLine,
  })
  dieOfFatalErrors(engine)
  const parameters = [...messages(Buffer.from(await run(engine, startupPacket())))].filter((message) => typeOf(message) === 'S')
  post({ type: 'ready', parameters: joinOwned(parameters) })
  setTimeout(() => files.startFlushing(), flushThreadsAfterMs).unref()
  parentPort?.on('message', (message: ToWorker) => void handle(engine, files, log, message))
} catch (error) {
  die(error)
}

async function handle(engine: PGlite, files: DurableFileSystem, log: DeferredLog, message: ToWorker): Promise<void> {
  if (message.type === 'close') {
    await engine.close()
    files.flushRequested()
    log.settle()
    post({ type: 'closed' })
    return
  }
  const began = performance.now()
  const bytes = await run(engine, message.bytes)
  files.flushRequested()
  busyMs += performance.now() - began
  post({ type: 'reply', bytes, counters: { ...files.counters, busyMs }, unflushed: log.unflushed() }, ownedBuffer(bytes))
}

async function run(engine: PGlite, bytes: Uint8Array): Promise<Uint8Array> {
  reply.parts = []
  // The stream form, because the other one parses and keeps every reply.
  await engine.execProtocolRawStream(bytes, { syncToFs: false, onRawData: (part) => reply.parts.push(part.slice()) })
  return joinOwned(reply.parts)
}

/**
 * The engine takes every exception of its main loop for a handled SQL error and calls the loop again; after a FATAL or a
 * PANIC it thus spins for ever. The thread ends instead, and the gateway opens the database again.
 */
function dieOfFatalErrors(engine: PGlite): void {
  const module = engine.Module
  const once = module[MAIN_LOOP].bind(module)
  module[MAIN_LOOP] = () => {
    try {
      once()
    } catch (error) {
      if (statusOf(error) === LONGJMP) throw error
      die(lastError() ?? error)
    }
  }
}

/** Ends the thread with a reason. */
function die(reason: unknown): never {
  post({ type: 'dead', message: reason instanceof Error ? reason.message : String(reason) })
  process.exit(1)
}

function statusOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
}

/** The message of the last error in the reply so far. */
function lastError(): string | undefined {
  const last = [...messages(Buffer.concat(reply.parts))].filter((message) => typeOf(message) === 'E').at(-1)
  return last && /\0M([^\0]*)\0/.exec(last.toString('utf8', 5))?.[1]
}

function startupPacket(): Uint8Array {
  const body = Buffer.from('user\0postgres\0database\0postgres\0\0')
  const packet = Buffer.alloc(8)
  packet.writeInt32BE(8 + body.length, 0)
  packet.writeInt32BE(3 << 16, 4)
  return new Uint8Array(Buffer.concat([packet, body]))
}

function logLine(line: string): boolean {
  const [, level, text] = /\b(LOG|WARNING|FATAL|PANIC): {2}(.*)$/.exec(line) ?? []
  if (level !== undefined && text !== undefined) post({ type: 'log', level: level === 'LOG' ? 'info' : 'warn', message: text })
  return false
}

function post(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer)
}

/** `startEngine` is the only one who starts this thread. */
function workerOptions(data: unknown): WorkerOptions {
  return data as WorkerOptions
}
