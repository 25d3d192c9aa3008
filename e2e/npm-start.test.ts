import { spawn, type ChildProcess } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { engineName, pause, program, root } from './program.ts'

/** npm and the processes below it, in a process group of their own, when Groundwork is ready. */
async function npmStart(): Promise<{ npm: ChildProcess; ended: Promise<unknown>; output: () => string; left: () => Promise<number[]> }> {
  const { env, url } = await program(onTestFinished)
  const npm = spawn('npm', ['start'], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const group = npm.pid ?? 0
  const left = (): Promise<number[]> => membersOf(group)
  onTestFinished(async () => {
    for (const pid of await left()) process.kill(pid, 'SIGKILL')
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()))
  const ended = new Promise((done) => npm.once('exit', done))
  while (!(await fetch(`${url}/readyz`).catch(() => undefined))?.ok) {
    if (npm.exitCode !== null) throw new Error(`npm start ended:\n${output}`)
    await pause(100)
  }
  return { npm, ended, output: () => output, left }
}

/** The running processes of a group, without those that have ended and wait to be collected. */
async function membersOf(group: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const members = await Promise.all(
    pids.map(async (pid) => {
      // A process can end between the listing and the reading.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(processGroup) === group && state !== 'Z' ? [Number(pid)] : []
    }),
  )
  return members.flat()
}

test.skipIf(process.platform !== 'linux')(
  `SIGTERM to npm alone ends the program with it, on the ${engineName()}`,
  { timeout: 240_000 },
  async () => {
    const { npm, ended, output, left } = await npmStart()
    expect(await left()).toContain(npm.pid)
    npm.kill('SIGTERM')
    await ended
    expect(output()).toContain('"msg":"stopped"')
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  },
)

test.skipIf(process.platform !== 'linux')(
  `Ctrl-C ends the program as cleanly, though npm repeats it, on the ${engineName()}`,
  { timeout: 240_000 },
  async () => {
    const { npm, ended, output, left } = await npmStart()
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    await ended
    expect(output()).toContain('"msg":"stopped"')
    await expect.poll(left, { timeout: 60_000 }).toEqual([])
  },
)
