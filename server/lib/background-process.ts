import { spawn, type ChildProcess } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { parse } from 'node:path'

/**
 * Starts Node with these arguments as a process of low priority that exchanges messages with this one. It ends with it.
 *
 * Background work is not done in threads of low priority: threads share the lock of the memory map and that of the
 * allocator, so one that holds such a lock while it waits for a core stops all others. With eight busy processes on two
 * cores the main thread stood still for 200 ms at a time, and for minutes in the worst case.
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
    // The process has ended already, which its `close` event reports.
  }
}

/** Lets the process keep this program alive only while it works. */
export function keepAlive(child: ChildProcess, busy: boolean): void {
  if (busy) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}

/** The other side of the messages, for the module that `startBackgroundProcess` runs. */
export interface ParentProcess<From, To> {
  send(message: To): void
  onMessage(listener: (message: From) => void): void
  /** Ends this process once what was sent has left. */
  end(): void
}

export function parentProcess<From, To>(): ParentProcess<From, To> {
  // Whatever became of the parent, nobody would read an answer.
  process.once('disconnect', () => process.exit())
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on('message', (message) => listener(message as From)),
    end: () => process.disconnect(),
  }
}
