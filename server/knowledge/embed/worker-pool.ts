import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { SourceError } from '../../lib/errors.ts'
import { createLatencyEstimate } from '../../lib/latency-estimate.ts'

export interface ToWorkerText {
  readonly id: number
  readonly text: string
}

/** Texts, and at last `close`: drop what is not done and end. */
export type ToWorker = ToWorkerText | { readonly close: true }

/** `ready` once, then an answer to each text, in order. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly id: number; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string }

export interface WorkerPoolOptions {
  /** Module of the thread, and what it is started with. */
  readonly entry: URL
  readonly workerData: unknown
  /** Most threads at once; each is started when there is work that no other is free for. */
  readonly threads: number
  readonly log?: Pick<Logger, 'warn'> | undefined
}

export interface WorkerPool {
  /**
   * Starts the first thread, where none runs, and waits until it can answer.
   * @throws what kept the thread from starting
   */
  ready(): Promise<void>
  /**
   * All vectors in the order of the texts, or none: after a failure or an abort, texts that no thread has begun are dropped.
   * @throws SourceError `embedding_failed`, or the signal's reason
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Milliseconds until a text that is given now would have its vector, by those before it and what each has taken of late; 0
   * where there are none. So there is always one that tells how long a text takes now.
   */
  expectedMs(): number
  close(): Promise<void>
}

interface Task<T = Float32Array> {
  readonly id: number
  readonly text: string
  /** A thread died over it: the next try has a thread to itself, so that only the guilty text fails twice. */
  retried: boolean
  resolve(value: T): void
  reject(reason: unknown): void
}

interface Lane {
  readonly worker: Worker
  readonly tasks: Map<number, Task>
  ready: boolean
  /** Since when it works on the first of its tasks. */
  since: number
}

/** One text in work and one waiting: a thread goes on while the main thread is busy with something else. */
const tasksAtOnce = 2

/** Texts in the order given over a few threads. A thread that dies is replaced, and its texts are tried once more. */
export function createWorkerPool({ entry, workerData, threads, log }: WorkerPoolOptions): WorkerPool {
  const lanes = new Set<Lane>()
  const pace = createLatencyEstimate({ quantile: 0.5, initialMs: 1 })
  let waiting: Task[] = []
  const starting = new Set<Pick<Task<void>, 'resolve' | 'reject'>>()
  let most = threads
  let nextId = 0
  let closing: Promise<void> | undefined

  function dispatch(): void {
    for (;;) {
      const next = waiting[0]
      if (!next) return
      const lane = freest(lanes, next)
      if ((!lane || lane.tasks.size > 0) && lanes.size < most) startLane()
      if (!lane) return
      waiting.shift()
      if (lane.tasks.size === 0) lane.since = performance.now()
      lane.tasks.set(next.id, next)
      lane.worker.postMessage({ id: next.id, text: next.text } satisfies ToWorker)
    }
  }

  function startLane(): void {
    const lane: Lane = { worker: new Worker(entry, { workerData }), tasks: new Map(), ready: false, since: 0 }
    let failure: unknown
    lane.worker.on('message', (message: FromWorker) => {
      if ('ready' in message) started(lane)
      else settle(lane, message)
      dispatch()
    })
    lane.worker.on('error', (error) => (failure = error))
    lane.worker.on('exit', (code) => {
      lanes.delete(lane)
      if (!closing) recover(lane, failure ?? new Error(`The thread ended with code ${code}`))
    })
    lanes.add(lane)
  }

  function started(lane: Lane): void {
    lane.ready = true
    for (const waiter of starting) waiter.resolve()
    starting.clear()
  }

  function settle(lane: Lane, message: Exclude<FromWorker, { ready: true }>): void {
    const answered = lane.tasks.get(message.id)
    lane.tasks.delete(message.id)
    const now = performance.now()
    pace.note(now - lane.since)
    lane.since = now
    if ('vector' in message) answered?.resolve(message.vector)
    else answered?.reject(embeddingFailed('The embedding model could not read a text', new Error(message.error)))
  }

  function recover(lane: Lane, cause: unknown): void {
    log?.warn({ err: cause, started: lane.ready }, 'an embedding thread ended early')
    const tasks = [...lane.tasks.values()]
    for (const guilty of tasks.filter(({ retried }) => retried))
      guilty.reject(embeddingFailed('The embedding model broke down over a text', cause))
    const again = tasks.filter(({ retried }) => !retried)
    for (const one of again) one.retried = true
    waiting = [...again, ...waiting]
    // What keeps a thread from starting may last: those that run go on alone, and without any nothing can be answered.
    most = lane.ready || lanes.size === 0 ? threads : lanes.size
    if (!lane.ready && lanes.size === 0) rejectAll(embeddingFailed('The embedding model cannot be started', cause), cause)
    else dispatch()
  }

  function rejectAll(reason: SourceError, whyNotReady: unknown): void {
    for (const one of waiting.splice(0)) one.reject(reason)
    for (const one of starting) one.reject(whyNotReady)
    starting.clear()
  }

  function task(text: string, resolve: Task['resolve'], reject: Task['reject']): Task {
    return { id: nextId++, text, retried: false, resolve, reject }
  }

  /** Those in a thread already are finished there, for nobody. */
  function drop(tasks: readonly Task[], reason: unknown): void {
    const dropped = new Set(tasks)
    waiting = waiting.filter((one) => !dropped.has(one))
    for (const one of tasks) one.reject(reason)
  }

  async function end(): Promise<void> {
    const reason = embeddingFailed('The embedder is closed')
    rejectAll(reason, reason)
    for (const { tasks } of lanes) for (const one of tasks.values()) one.reject(reason)
    await Promise.all([...lanes].map(({ worker }) => ended(worker)))
  }

  return {
    ready() {
      if ([...lanes].some((lane) => lane.ready)) return Promise.resolve()
      if (lanes.size === 0) startLane()
      return new Promise((resolve, reject) => starting.add({ resolve, reject }))
    },
    async embed(texts, signal) {
      signal?.throwIfAborted()
      if (closing) throw embeddingFailed('The embedder is closed')
      const tasks: Task[] = []
      const vectors = texts.map((text) => new Promise<Float32Array>((resolve, reject) => tasks.push(task(text, resolve, reject))))
      const abort = () => drop(tasks, signal?.reason)
      signal?.addEventListener('abort', abort)
      waiting = [...waiting, ...tasks]
      dispatch()
      try {
        return await Promise.all(vectors)
      } catch (error) {
        drop(tasks, error)
        throw error
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    expectedMs() {
      const before = [...lanes].reduce((sum, { tasks }) => sum + tasks.size, waiting.length)
      return before === 0 ? 0 : pace.usualMs() * (1 + before / Math.max(lanes.size, 1))
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}

/** The running thread with the least to do, among those that may take the task. */
function freest(lanes: ReadonlySet<Lane>, task: Task): Lane | undefined {
  return [...lanes].filter((lane) => lane.ready && mayTake(lane, task)).toSorted((a, b) => a.tasks.size - b.tasks.size)[0]
}

function mayTake({ tasks }: Lane, task: Task): boolean {
  if (task.retried) return tasks.size === 0
  return tasks.size < tasksAtOnce && [...tasks.values()].every(({ retried }) => !retried)
}

/** Asked, not terminated: the runtime aborts the whole process when its thread is torn down in the middle of a run. */
async function ended(worker: Worker): Promise<void> {
  worker.postMessage({ close: true } satisfies ToWorker)
  await new Promise((resolve) => worker.once('exit', resolve))
}

function embeddingFailed(message: string, cause?: unknown): SourceError {
  return new SourceError('embedding_failed', message, { retryable: true, cause })
}
