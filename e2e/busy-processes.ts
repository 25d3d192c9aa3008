import { spawn } from 'node:child_process'

/** Starts processes that each keep one core busy until the test ends. */
export function startBusyProcesses(atEnd: (end: () => void) => void, count: number): void {
  const children = Array.from({ length: count }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  atEnd(() => {
    for (const child of children) child.kill('SIGKILL')
  })
}
