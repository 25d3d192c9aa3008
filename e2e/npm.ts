import { spawn, type ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { pause } from './program.ts'

/** npm and its child processes in their own process group. */
export interface NpmStart {
  readonly npm: ChildProcess
  readonly ended: Promise<unknown>
  output(this: void): string
  /** Returns the processes of the group that are still running. Linux only. */
  left(this: void): Promise<number[]>
}

/**
 * Runs `npm start` in a clone and waits until Groundwork is ready.
 * @param atEnd registers the cleanup; tests pass `onTestFinished`
 */
export async function npmStart(
  atEnd: (end: () => Promise<void>) => void,
  { folder, url, env }: { folder: string; url: string; env: Record<string, string> },
): Promise<NpmStart> {
  const npm = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const group = npm.pid ?? 0
  const left = (): Promise<number[]> => membersOf(group)
  atEnd(async () => {
    for (const pid of await left()) process.kill(pid, 'SIGKILL')
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise((done) => npm.once('exit', done))
  const isReady = (): Promise<boolean> =>
    fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
  while (!(await isReady())) {
    if (npm.exitCode !== null || npm.signalCode !== null) throw new Error(`npm start ended:\n${output}`)
    await pause(100)
  }
  return { npm, ended, output: () => output, left }
}

/** Returns the running processes of a group, without zombies. */
async function membersOf(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const members = await Promise.all(
    pids.map(async (pid) => {
      // A process can end after it was listed.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(processGroup) === group && state !== 'Z' ? [Number(pid)] : []
    }),
  )
  return members.flat()
}
