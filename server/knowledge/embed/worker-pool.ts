import type { Logger } from 'pino'
import { SourceError } from '../../lib/errors.ts'
import { createLatencyEstimate } from '../../lib/latency-estimate.ts'
import type { PoolMember } from './pool-member.ts'

/** What a model reads at once: a text, or the two texts of a pair. */
export interface PoolInput {
  readonly text: string
  readonly second?: string
}

export interface ToWorkerText extends PoolInput {
  readonly id: number
}

/** A text, or `close`: drop unfinished texts and end. */
export type ToWorker = ToWorkerText | { readonly close: true }

/** `ready` once, then one reply for each text, in order. */
export type FromWorker =
  | { readonly ready: true }
  | { readonly id: number; readonly vector: Float32Array<ArrayBuffer> }
  | { readonly id: number; readonly error: string }

export interface WorkerPoolOptions {
  /** Starts a thread or a process that embeds texts: a member of the pool. */
  readonly start: () => PoolMember
  /** Maximum members; each is started when no other is free. */
  readonly size: number
  readonly log?: Pick<Logger, 'warn'> | undefined
}

export interface WorkerPool {
  /**
   * Starts the first member if none runs, and waits until it is ready.
   * @throws the error that kept it from starting
   */
  ready(): Promise<void>
  /**
   * Returns all vectors in the order of the texts, or none: after a failure or an abort, texts that no member has started are
   * dropped.
   * @throws SourceError `embedding_failed`, or the signal's reason
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>
  /** Like `embed`, for texts or pairs. */
  run(inputs: readonly PoolInput[], signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Returns the milliseconds until a text that is submitted now would start, from the texts before it and their usual duration;
   * 0 without others. So there is always a text that shows the current duration.
   */
  expectedMs(): number
  close(): Promise<void>
}

interface Task<T = Float32Array> {
  readonly id: number
  readonly input: PoolInput
  /** A member died while it embedded this text: the retry has a member to itself, so that only the faulty text fails twice. */
  retried: boolean
  resolve(value: T): void
  reject(reason: unknown): void
}

interface RunningMember {
  readonly member: PoolMember
  ended: Promise<void>
  readonly tasks: Map<number, Task>
  ready: boolean
  /** When it started the first of its tasks. */
  since: number
}

/** One text in progress and one waiting: a member continues while the main thread is busy. */
const tasksAtOnce = 2

/** Distributes texts over members, in order. A member that dies is replaced, and its texts are tried once more. */
export function createWorkerPool({ start, size, log }: WorkerPoolOptions): WorkerPool {
  const running = new Set<RunningMember>()
  const pace = createLatencyEstimate({ quantile: 0.5, initialMs: 1 })
  let waiting: Task[] = []
  const starting = new Set<Pick<Task<void>, 'resolve' | 'reject'>>()
  let maxRunning = size
  let nextId = 0
  let closing: Promise<void> | undefined

  function dispatch(): void {
    for (;;) {
      const next = waiting[0]
      if (!next) return
      const free = leastBusy(running, next)
      if ((!free || free.tasks.size > 0) && running.size < maxRunning) startMember()
      if (!free) return
      waiting.shift()
      if (free.tasks.size === 0) free.since = performance.now()
      free.tasks.set(next.id, next)
      free.member.send({ id: next.id, ...next.input })
    }
  }

  function startMember(): void {
    const started: RunningMember = { member: start(), ended: Promise.resolve(), tasks: new Map(), ready: false, since: 0 }
    started.member.onMessage((message) => {
      if ('ready' in message) becomeReady(started)
      else settle(started, message)
      dispatch()
    })
    started.ended = new Promise((resolve) => {
      started.member.onEnd((cause) => {
        running.delete(started)
        resolve()
        if (!closing) recover(started, cause)
      })
    })
    running.add(started)
  }

  function becomeReady(member: RunningMember): void {
    member.ready = true
    for (const waiter of starting) waiter.resolve()
    starting.clear()
  }

  function settle(member: RunningMember, message: Exclude<FromWorker, { ready: true }>): void {
    const answered = member.tasks.get(message.id)
    member.tasks.delete(message.id)
    const now = performance.now()
    pace.record(now - member.since)
    member.since = now
    if ('vector' in message) answered?.resolve(message.vector)
    else answered?.reject(embeddingFailed('The embedding model could not read a text', new Error(message.error)))
  }

  function recover(member: RunningMember, cause: unknown): void {
    log?.warn({ err: cause, started: member.ready }, 'a worker of a model ended early')
    const tasks = [...member.tasks.values()]
    for (const guilty of tasks.filter(({ retried }) => retried))
      guilty.reject(embeddingFailed('The embedding model broke down over a text', cause))
    const again = tasks.filter(({ retried }) => !retried)
    for (const one of again) one.retried = true
    waiting = [...again, ...waiting]
    // The cause may last: running members continue alone, and without any no text can be embedded.
    maxRunning = member.ready || running.size === 0 ? size : running.size
    if (!member.ready && running.size === 0) rejectAll(embeddingFailed('The embedding model cannot be started', cause), cause)
    else dispatch()
  }

  function rejectAll(reason: SourceError, whyNotReady: unknown): void {
    for (const one of waiting.splice(0)) one.reject(reason)
    for (const one of starting) one.reject(whyNotReady)
    starting.clear()
  }

  function task(input: PoolInput, resolve: Task['resolve'], reject: Task['reject']): Task {
    return { id: nextId++, input, retried: false, resolve, reject }
  }

  /** Texts at a member are finished there, and their results are ignored. */
  function drop(tasks: readonly Task[], reason: unknown): void {
    const dropped = new Set(tasks)
    waiting = waiting.filter((one) => !dropped.has(one))
    for (const one of tasks) one.reject(reason)
  }

  async function run(inputs: readonly PoolInput[], signal?: AbortSignal): Promise<Float32Array[]> {
    signal?.throwIfAborted()
    if (closing) throw embeddingFailed('The embedder is closed')
    const tasks: Task[] = []
    const vectors = inputs.map((input) => new Promise<Float32Array>((resolve, reject) => tasks.push(task(input, resolve, reject))))
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
  }

  async function end(): Promise<void> {
    const reason = embeddingFailed('The embedder is closed')
    rejectAll(reason, reason)
    for (const { tasks } of running) for (const one of tasks.values()) one.reject(reason)
    await Promise.all([...running].map(close))
  }

  return {
    ready() {
      if (closing) return Promise.reject(embeddingFailed('The embedder is closed'))
      if ([...running].some((member) => member.ready)) return Promise.resolve()
      if (running.size === 0) startMember()
      return new Promise((resolve, reject) => starting.add({ resolve, reject }))
    },
    run,
    embed: (texts, signal) =>
      run(
        texts.map((text) => ({ text })),
        signal,
      ),
    expectedMs() {
      const before = [...running].reduce((sum, { tasks }) => sum + tasks.size, waiting.length)
      return before === 0 ? 0 : pace.estimateMs() * (1 + before / Math.max(running.size, 1))
    },
    close() {
      closing ??= end()
      return closing
    },
  }
}

/** Returns the running member with the fewest tasks, among those that may take the task. */
function leastBusy(running: ReadonlySet<RunningMember>, task: Task): RunningMember | undefined {
  return [...running].filter((member) => member.ready && mayTake(member, task)).toSorted((a, b) => a.tasks.size - b.tasks.size)[0]
}

function mayTake({ tasks }: RunningMember, task: Task): boolean {
  if (task.retried) return tasks.size === 0
  return tasks.size < tasksAtOnce && [...tasks.values()].every(({ retried }) => !retried)
}

/** Asks the member to end. Terminating a thread during a run of the model would abort the whole process. */
function close({ member, ended }: RunningMember): Promise<void> {
  member.send({ close: true })
  return ended
}

function embeddingFailed(message: string, cause?: unknown): SourceError {
  return new SourceError('embedding_failed', message, { retryable: true, cause })
}
