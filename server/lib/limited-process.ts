import { spawn, type ChildProcess } from 'node:child_process'
import { parse } from 'node:path'
import { keepAlive, lowerPriority } from './background-process.ts'
import { startDeadline } from './processor-deadline.ts'

const startMs = 60_000

export interface ProcessLimits {
  /** Limit of writable memory (RLIMIT_DATA). WebAssembly and V8 reserve far more address space than they use. */
  readonly memoryMb: number
  /** Limit of processor time over the life of the process. */
  readonly cpuSeconds: number
}

/** The reason why a limited process gave no reply. */
export type ProcessFailure = 'not_started' | 'timeout' | 'processor_time' | 'memory' | 'crashed'

export class LimitedProcessError extends Error {
  readonly failure: ProcessFailure

  constructor(failure: ProcessFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** A process with limits. It takes one request at a time and cannot be used after it has ended. */
export interface LimitedProcess<Request, Reply> {
  readonly requests: number
  /**
   * Waits for the reply, or for the next report of progress, for at most `timeoutMs` of processor time, so that a busy machine
   * ends no request (processor-deadline.ts).
   * @throws LimitedProcessError, or the reason of `signal`; a crash of the process fails this request only
   */
  exchange(request: Request, timeoutMs: number, signal?: AbortSignal): Promise<Reply>
  alive(): boolean
  kill(): void
}

type Message<Reply> = { readonly type: 'ready' | 'progress' } | { readonly type: 'reply'; readonly reply: Reply }

/**
 * Starts a module that calls `serveRequests` in a process of low priority with limits.
 * @param entry arguments of Node, from `childEntry`
 */
export function startLimitedProcess<Request extends object, Reply>(
  entry: readonly string[],
  limits: ProcessLimits,
  onStderr: (text: string) => void = () => {},
): LimitedProcess<Request, Reply> {
  const child = spawnLimited(entry, limits)
  let stderr = ''
  let requests = 0
  let ready = false
  child.on('message', (message: Message<Reply>) => void (ready ||= message.type === 'ready'))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, 4_000)
    onStderr(text)
  })
  child.on('error', () => {})
  keepAlive(child, false)

  function exchange(request: Request, timeoutMs: number, signal?: AbortSignal): Promise<Reply> {
    requests++
    stderr = ''
    keepAlive(child, true)
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        stopDeadline()
        child.off('message', onMessage).off('close', onExit).off('error', onExit)
        signal?.removeEventListener('abort', onAbort)
        keepAlive(child, false)
        settle()
      }
      const onMessage = (message: Message<Reply>): void => {
        if (message.type === 'ready') return start()
        if (message.type === 'progress') return limitTime()
        if (message.type === 'reply') finish(() => resolve(message.reply))
      }
      const onExit = (code: number | Error | null, cause: NodeJS.Signals | null = null): void =>
        finish(() => reject(ready ? endedBy(code, cause, stderr) : notStarted(stderr)))
      const stop = (reason: unknown): void => {
        child.kill('SIGKILL')
        finish(() => reject(reason))
      }
      const onAbort = (): void => stop(signal?.reason)
      // The timeout starts when the process is ready: its start is not the request's fault.
      let stopDeadline = startDeadline(child.pid, startMs, () => stop(notStarted(stderr)))
      const limitTime = (): void => {
        stopDeadline()
        stopDeadline = startDeadline(child.pid, timeoutMs, () =>
          stop(new LimitedProcessError('timeout', `The process did not reply within ${timeoutMs / 1000} seconds.`)),
        )
      }
      const start = (): void => {
        limitTime()
        child.send(request, (error) => void (error && onExit(error)))
      }
      child.on('message', onMessage).once('close', onExit).once('error', onExit)
      signal?.addEventListener('abort', onAbort, { once: true })
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
      else if (ready) start()
    })
  }

  return {
    get requests() {
      return requests
    },
    exchange,
    alive: () => !child.killed && child.connected && child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),
  }
}

/** Tells the program that a long request makes progress, which starts its timeout again. The limit of processor time stays. */
export function reportProgress(): void {
  process.send?.({ type: 'progress' } satisfies Message<unknown>)
}

/** Answers the requests of the program that started this process. A rejection of `answer` ends this process. */
export function serveRequests(answer: (request: never) => Promise<unknown>): void {
  const send = (message: Message<unknown>): void => void process.send?.(message)
  process.on('message', (request) => void answer(request as never).then((reply) => send({ type: 'reply', reply })))
  process.on('disconnect', () => process.exit())
  send({ type: 'ready' })
}

/**
 * On Linux, a shell sets the limits and then becomes the process, which is also the first one to be killed when the machine or
 * container runs out of memory. On other systems only V8's heap limit and the timeout apply.
 */
function spawnLimited(entry: readonly string[], { memoryMb, cpuSeconds }: ProcessLimits): ChildProcess {
  const node = [process.execPath, `--max-old-space-size=${Math.floor(memoryMb * 0.7)}`, ...entry]
  const limits = `echo 1000 2>/dev/null >/proc/self/oom_score_adj; ulimit -c 0; ulimit -d ${memoryMb * 1024}; ulimit -t ${cpuSeconds}`
  const limited = ['/bin/sh', '-c', `${limits}; exec "$@"`, 'sh', ...node]
  const [command = '', ...args] = process.platform === 'linux' ? limited : node
  const child = spawn(command, args, {
    cwd: parse(process.execPath).root,
    env: { LANG: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

function notStarted(stderr: string): LimitedProcessError {
  return new LimitedProcessError('not_started', 'The process did not start.', { cause: new Error(stderr.slice(0, 1_000)) })
}

function endedBy(code: number | Error | null, signal: NodeJS.Signals | null, stderr: string): LimitedProcessError {
  const cause = code instanceof Error ? code : new Error(`The process ended with ${signal ?? `code ${code}`}: ${stderr.slice(0, 1_000)}`)
  if (signal === 'SIGXCPU') return new LimitedProcessError('processor_time', 'The process took too much processor time.', { cause })
  if (/out ?of ?memory|OOM|memory allocation|bad_alloc|allocation failed|node::(?:Re|M|C)alloc/i.test(stderr) || signal === 'SIGKILL')
    return new LimitedProcessError('memory', 'The process took more memory than is allowed.', { cause })
  return new LimitedProcessError('crashed', 'The process failed.', { cause })
}
