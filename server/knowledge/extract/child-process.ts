import { spawn, type ChildProcess } from 'node:child_process'
import { parse } from 'node:path'
import { keepAlive, lowerPriority } from '../../lib/background-process.ts'
import { SourceError } from '../../lib/errors.ts'
import { childEntry } from '../../lib/entry.ts'
import type { Cost, ExtractReply, ExtractRequest, Readings } from './messages.ts'

const startMs = 60_000

export interface ChildLimits {
  /** Limit of writable memory (RLIMIT_DATA). WebAssembly and V8 reserve far more address space than they use. */
  readonly memoryMb: number
  /** Limit of processor time over the life of the process. */
  readonly cpuSeconds: number
}

/** A parser process. It takes one request at a time and cannot be used after it has ended. */
export interface ParserChild {
  readonly usedCpuMs: number
  readonly documents: number
  /** @throws SourceError; a crash of the process fails this request only */
  read<W extends keyof Readings>(
    request: ExtractRequest & { wanted: W },
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Readings[W]>
  alive(): boolean
  kill(): void
}

export function startChild(limits: ChildLimits, onEvent: (event: { stderr: string } | Cost) => void): ParserChild {
  const child = spawnLimited(limits)
  let stderr = ''
  let usedCpuMs = 0
  let documents = 0
  let ready = false
  child.on('message', (reply: ExtractReply) => void (ready ||= reply.type === 'ready'))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, 4_000)
    onEvent({ stderr: text })
  })
  child.on('error', () => {})
  keepAlive(child, false)

  function read<W extends keyof Readings>(
    request: ExtractRequest & { wanted: W },
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Readings[W]> {
    documents++
    stderr = ''
    keepAlive(child, true)
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer)
        child.off('message', onMessage).off('close', onExit).off('error', onExit)
        signal?.removeEventListener('abort', onAbort)
        keepAlive(child, false)
        settle()
      }
      const onMessage = (reply: ExtractReply): void => {
        if (reply.type === 'ready') return start()
        usedCpuMs += reply.cost.cpuMs
        onEvent(reply.cost)
        finish(() =>
          reply.type === 'reading' ? resolve(asWanted(reply.reading, request.wanted)) : reject(new SourceError(reply.code, reply.message)),
        )
      }
      const onExit = (code: number | Error | null, cause: NodeJS.Signals | null = null): void =>
        finish(() => reject(ready ? endedBy(code, cause, stderr) : notStarted(stderr)))
      const stop = (reason: unknown): void => {
        child.kill('SIGKILL')
        finish(() => reject(reason))
      }
      const onAbort = (): void => stop(signal?.reason)
      // The timeout starts when the process can read: its start is not the document's fault.
      let timer = setTimeout(() => stop(notStarted(stderr)), startMs)
      const start = (): void => {
        clearTimeout(timer)
        timer = setTimeout(
          () => stop(new SourceError('timeout', `The file could not be read within ${timeoutMs / 1000} seconds.`)),
          timeoutMs,
        )
        child.send(request, (error) => void (error && onExit(error)))
      }
      child.on('message', onMessage).once('close', onExit).once('error', onExit)
      signal?.addEventListener('abort', onAbort, { once: true })
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode)
      else if (ready) start()
    })
  }

  return {
    get usedCpuMs() {
      return usedCpuMs
    },
    get documents() {
      return documents
    },
    read,
    alive: () => !child.killed && child.connected && child.exitCode === null && child.signalCode === null,
    kill: () => void child.kill('SIGKILL'),
  }
}

/**
 * On Linux, a shell sets the limits and then becomes the parser, which is also the first process to be killed when the machine
 * or container runs out of memory. On other systems only V8's heap limit and the timeout apply.
 */
function spawnLimited({ memoryMb, cpuSeconds }: ChildLimits): ChildProcess {
  const node = [process.execPath, `--max-old-space-size=${Math.floor(memoryMb * 0.7)}`, ...childEntry(import.meta.url, './child')]
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

/** The child replies with the reading of the request, and handles one request at a time. */
function asWanted<W extends keyof Readings>(reading: Readings[keyof Readings], _wanted: W): Readings[W] {
  return reading as Readings[W]
}

function notStarted(stderr: string): SourceError {
  return new SourceError('internal', 'The parser process did not start.', { retryable: true, cause: new Error(stderr.slice(0, 1_000)) })
}

function endedBy(code: number | Error | null, signal: NodeJS.Signals | null, stderr: string): SourceError {
  const cause =
    code instanceof Error ? code : new Error(`The parser process ended with ${signal ?? `code ${code}`}: ${stderr.slice(0, 1_000)}`)
  if (signal === 'SIGXCPU') return new SourceError('timeout', 'The file took too much processor time to read.', { cause })
  if (/out ?of ?memory|OOM|memory allocation|bad_alloc|allocation failed/i.test(stderr) || signal === 'SIGKILL')
    return new SourceError('too_large', 'The file takes more memory to read than is allowed.', { cause })
  return new SourceError('corrupt_file', 'The file could not be read: its parser failed on it.', { cause })
}
