import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { SourceError } from '../../lib/errors.ts'
import { createLatencyEstimate } from '../../lib/latency-estimate.ts'

export interface ToWorkerText {
  readonly id: number
  readonly text: string
}

/** A text, or `close`: drop unfinished texts and end. */
export type ToWorker = ToWorkerText | { readonly close: true }

/** `ready` once, then one reply for each text, in order. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly id: number; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string }

export interface WorkerPoolOptions {
  /** The module of the thread. */
  readonly entry: URL
  readonly workerData: unknown
  /** Maximum threads; each is started when no other is free. */
  readonly threads: number
  readonly log?: Pick<Logger, 'warn'> | undefined
}

export interface WorkerPool {
  /**
   * Starts the first thread if none runs, and waits until it is ready.
   * @throws the error that kept the thread from starting
   */
  ready(): Promise<void>
  /**
   * Returns all vectors in the order of the texts, or none: after a failure or an abort, texts that no thread has started are
   * dropped.
   * @throws SourceError `embedding_failed`, or the signal's reason
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Returns the milliseconds until a text that is submitted now would start, from the texts before it and their usual duration;
   * 0 without others. So there is always a text that shows the current duration.
   */
  expectedMs(): number
  close(): Promise<void>
}

interface Task<T = Float32Array> {
  readonly id: number
  readonly text: string
  /** A thread died while it embedded this text: the retry has a thread to itself, so that only the faulty text fails twice. */
  retried: boolean
  resolve(value: T): void
  reject(reason: unknown): void
}

interface RunningThread {
  readonly worker: Worker
  readonly tasks: Map<number, Task>
  ready: boolean
  /** When it started the first of its tasks. */
  since: number
}

/** One text in progress and one waiting: a thread continues while the main thread is busy. */
const tasksAtOnce = 2

/** Distributes texts over threads, in order. A thread that dies is replaced, and its texts are tried once more. */
export function createWorkerPool({ entry, workerData, threads, log }: WorkerPoolOptions): WorkerPool {
  const running = new Set<RunningThread>()
  const pace = createLatencyEstimate({ quantile: 0.5, initialMs: 1 })
  let waiting: Task[] = []
  const starting = new Set<Pick<Task<void>, 'resolve' | 'reject'>>()
  let maxRunning = threads
  let nextId = 0
  let closing: Promise<void> | undefined

  function dispatch(): void {
    for (;;) {
      const next = waiting[0]
      if (!next) return
      const thread = leastBusy(running, next)
      if ((!thread || thread.tasks.size > 0) && running.size < maxRunning) startThread()
      if (!thread) return
      waiting.shift()
      if (thread.tasks.size === 0) thread.since = performance.now()
      thread.tasks.set(next.id, next)
      thread.worker.postMessage({ id: next.id, text: next.text } satisfies ToWorker)
    }
  }

  function startThread(): void {
    const thread: RunningThread = { worker: new Worker(entry, { workerData }), tasks: new Map(), ready: false, since: 0 }
    let failure: unknown
    thread.worker.on('message', (message: FromWorker) => {
      if ('ready' in message) started(thread)
      else settle(thread, message)
      dispatch()
    })
    thread.worker.on('error', (error) => (failure = error))
    thread.worker.on('exit', (code) => {
      running.delete(thread)
      if (!closing) recover(thread, failure ?? new Error(`The thread ended with code ${code}`))
    })
    running.add(thread)
  }

  function started(thread: RunningThread): void {
    thread.ready = true
    for (const waiter of starting) waiter.resolve()
    starting.clear()
  }

  function settle(thread: RunningThread, message: Exclude<FromWorker, { ready: true }>): void {
    const answered = thread.tasks.get(message.id)
    thread.tasks.delete(message.id)
    const now = performance.now()
    pace.note(now - thread.since)
    thread.since = now
    if ('vector' in message) answered?.resolve(message.vector)
    else answered?.reject(embeddingFailed('The embedding model could not read a text', new Error(message.error)))
  }

  function recover(thread: RunningThread, cause: unknown): void {
    log?.warn({ err: cause, started: thread.ready }, 'an embedding thread ended early')
    const tasks = [...thread.tasks.values()]
    for (const guilty of tasks.filter(({ retried }) => retried))
      guilty.reject(embeddingFailed('The embedding model broke down over a text', cause))
    const again = tasks.filter(({ retried }) => !retried)
    for (const one of again) one.retried = true
    waiting = [...again, ...waiting]
    // The cause may last: running threads continue alone, and without any no text can be embedded.
    maxRunning = thread.ready || running.size === 0 ? threads : running.size
    if (!thread.ready && running.size === 0) rejectAll(embeddingFailed('The embedding model cannot be started', cause), cause)
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

  /** Texts in a thread are finished there, and their results are ignored. */
  function drop(tasks: readonly Task[], reason: unknown): void {
    const dropped = new Set(tasks)
    waiting = waiting.filter((one) => !dropped.has(one))
    for (const one of tasks) one.reject(reason)
  }

  async function end(): Promise<void> {
    const reason = embeddingFailed('The embedder is closed')
    rejectAll(reason, reason)
    for (const { tasks } of running) for (const one of tasks.values()) one.reject(reason)
    await Promise.all([...running].map(({ worker }) => ended(worker)))
  }

  return {
    ready() {
      if ([...running].some((thread) => thread.ready)) return Promise.resolve()
      if (running.size === 0) startThread()
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
      const before = [...running].reduce((sum, { tasks }) => sum + tasks.size, waiting.length)
      return before === 0 ? 0 : pace.usualMs() * (1 + before / Math.max(running.size, 1))
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}

/** Returns the running thread with the fewest tasks, among those that may take the task. */
function leastBusy(running: ReadonlySet<RunningThread>, task: Task): RunningThread | undefined {
  return [...running].filter((thread) => thread.ready && mayTake(thread, task)).toSorted((a, b) => a.tasks.size - b.tasks.size)[0]
}

function mayTake({ tasks }: RunningThread, task: Task): boolean {
  if (task.retried) return tasks.size === 0
  return tasks.size < tasksAtOnce && [...tasks.values()].every(({ retried }) => !retried)
}

/** Asks the thread to end instead of terminating it: the runtime aborts the process when its thread is torn down during a run. */
async function ended(worker: Worker): Promise<void> {
  worker.postMessage({ close: true } satisfies ToWorker)
  await new Promise((resolve) => worker.once('exit', resolve))
}

function embeddingFailed(message: string, cause?: unknown): SourceError {
  return new SourceError('embedding_failed', message, { retryable: true, cause })
}
