import { spawn, type ChildProcess } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { parse } from 'node:path'

/**
 * Starts Node with these arguments as a child process of low priority that exchanges messages with this process. It exits with
 * this process.
 *
 * Threads of low priority are no alternative: threads share the lock of the memory map and of the allocator, so one that holds
 * such a lock while it waits for a core stops all others. With eight busy processes on two cores, the main thread stalled for
 * 200 ms at a time, and for minutes in the worst case.
 */
export function startBackgroundProcess(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: parse(process.execPath).root,
    env: { LANG: 'C.UTF-8', TZ: 'UTC' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

/**
 * Added to the nice value of the program. The scheduler of Linux gives such a process a third of the processor time of one that
 * answers requests. With 10, a ninth, ingestion came to a standstill beside other busy programs of the machine.
 */
const backgroundNice = 5
const maxNice = 19

/** Lets the processes that answer requests run first. Call it when the process starts, because starting is expensive too. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(getPriority() + backgroundNice, maxNice))
  } catch {
    // The process has already exited, which its `close` event reports.
  }
}

/** Lets the child process keep this program alive only while it is busy. */
export function keepAlive(child: ChildProcess, busy: boolean): void {
  if (busy) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

/** The parent's side of the message channel, for modules that `startBackgroundProcess` runs. */
export interface ParentProcess<From, To> {
  send(message: To): void
  onMessage(listener: (message: From) => void): void
  /** Exits after all sent messages have been delivered. */
  end(): void
}

export function parentProcess<From, To>(): ParentProcess<From, To> {
  // Without a parent, nothing reads the results.
  const exit = (): never => process.exit()
  process.once('disconnect', exit)
  // A message to a parent that was just killed fails before the disconnection is reported.
  const onSent = (error: Error | null): void => void (error !== null && exit())
  return {
    send: (message) => void process.send?.(message, undefined, undefined, onSent),
    onMessage: (listener) => void process.on('message', (message) => listener(message as From)),
    end: () => process.disconnect(),
  }
}
