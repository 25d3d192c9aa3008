import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { childEntry } from '../../lib/entry.ts'
import { SourceError } from '../../lib/errors.ts'
import { startUndisturbedDeadline } from '../../lib/undisturbed-deadline.ts'
import type { BrowserOptions, ShowReply, ShownPage, ShowRequest } from './messages.ts'

const startMs = 60_000
const endMs = 5_000
/** Limit of writable memory of each browser process. */
const memoryMb = 2_048

/**
 * A browser and the process that drives it. It shows one page at a time and cannot be used after it has ended. It ends with the
 * process that started it at the latest, through a closed pipe.
 */
export interface BrowserProcess {
  readonly pages: number
  /** @throws SourceError timeout, fetch_failed; or the reason of `signal`. Ends the process, unless the process itself refused the page */
  show(request: ShowRequest, timeoutMs: number, signal: AbortSignal): Promise<ShownPage>
  alive(): boolean
  /** Ends the browser and removes its files. */
  end(): Promise<void>
}

export function startBrowserProcess(options: Omit<BrowserOptions, 'folder'>, onEvent: (event: object) => void): BrowserProcess {
  const folder = mkdtempSync(join(tmpdir(), 'groundwork-browser-'))
  const child = spawnLimited(folder)
  const gone = new Promise<void>((done) => child.once('exit', () => done()).once('error', () => done()))
  let stderr = ''
  let pages = 0
  let ready = false
  child.on('message', (reply: ShowReply) => void (ready ||= reply.type === 'ready'))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-4_000)
    onEvent({ stderr: text })
  })
  child.send({ ...options, folder } satisfies BrowserOptions, () => undefined)

  async function end(): Promise<void> {
    if (child.connected) child.disconnect()
    const late = setTimeout(() => child.kill('SIGKILL'), endMs)
    await gone
    clearTimeout(late)
    // Files that a killed browser still writes are left to the system, like all temporary files.
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
  }

  function show(request: ShowRequest, timeoutMs: number, signal: AbortSignal): Promise<ShownPage> {
    pages++
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        endDeadline()
        child.off('message', onMessage).off('exit', onExit)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const stop = (reason: unknown): void => {
        void end()
        finish(() => reject(reason))
      }
      const onMessage = (reply: ShowReply): void => {
        if (reply.type === 'ready') return begin()
        finish(() => (reply.type === 'shown' ? resolve(reply.page) : reject(notShown(reply.message))))
      }
      const onExit = (): void => finish(() => reject(ready ? notShown(stderr) : notStarted(stderr)))
      const onAbort = (): void => stop(signal.reason)
      let endDeadline = startUndisturbedDeadline(child.pid, startMs, () => stop(notStarted(stderr)))
      const begin = (): void => {
        endDeadline()
        const reason = `A browser did not show the page within ${timeoutMs / 1000} seconds.`
        endDeadline = startUndisturbedDeadline(child.pid, timeoutMs, () => stop(new SourceError('timeout', reason)))
        child.send(request, (error) => void (error && onExit()))
      }
      child.on('message', onMessage).once('exit', onExit)
      signal.addEventListener('abort', onAbort, { once: true })
      if (!isAlive(child)) onExit()
      else if (ready) begin()
    })
  }

  return {
    get pages() {
      return pages
    },
    show,
    alive: () => isAlive(child),
    end,
  }
}

const isAlive = (child: ChildProcess): boolean => child.connected && child.exitCode === null && child.signalCode === null

/** On Linux, a shell sets the limit and then becomes the process; the browser inherits it. */
function spawnLimited(folder: string): ChildProcess {
  const node = [process.execPath, '--max-old-space-size=512', ...childEntry(import.meta.url, './child')]
  const limited = ['/bin/sh', '-c', `ulimit -c 0; ulimit -d ${memoryMb * 1024}; exec "$@"`, 'sh', ...node]
  const [command = '', ...args] = process.platform === 'linux' ? limited : node
  return spawn(command, args, {
    cwd: parse(process.execPath).root,
    env: { LANG: 'C.UTF-8', TZ: 'UTC', TMPDIR: folder },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
}

function notStarted(stderr: string): SourceError {
  return new SourceError('internal', 'The browser that shows pages does not start.', { cause: new Error(stderr) })
}

function notShown(why: string): SourceError {
  return new SourceError('fetch_failed', 'A browser failed to show the page.', { retryable: true, cause: new Error(why) })
}
