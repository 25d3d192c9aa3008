import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

export const root = resolve(import.meta.dirname, '..')

/** The built program on a store and a port of its own, to be started, killed and started again on the same data. */
export interface Program {
  readonly url: string
  readonly env: Record<string, string>
  /** Starts it and waits until it can serve. */
  start(): Promise<void>
  /** SIGKILL, and the wait for its end. */
  kill(): Promise<void>
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>
  /** What it has written so far. */
  output(): string
  /** Its process id. Throws unless it was started. */
  pid(): number
  /** The most memory that its process had in use at a time (VmHWM), in MB, without the processes that it starts; null where the system is not Linux. */
  peakMb(): Promise<number | null>
}

/**
 * @param atEnd registers what ends the program and removes its data: a test passes `onTestFinished`
 * @param settings environment variables beside those for port and data
 * @param store `migrated` is a copy of an empty database with all tables, where the run has made one: making them takes half of a
 * first start
 */
export async function program(
  atEnd: (end: () => Promise<void>) => void,
  settings: Record<string, string> = {},
  store: 'migrated' | 'none' = 'migrated',
): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), 'groundwork-e2e-'))
  const port = settings['PORT'] ?? (await freePort())
  const template = store === 'migrated' ? process.env['TEST_TEMPLATE'] : undefined
  const server = process.env['TEST_DATABASE_URL']
  const address = server === undefined ? undefined : await newDatabase(server, template)
  if (server === undefined && template !== undefined) await cp(template, join(dataDir, 'db'), { recursive: true })
  const env = {
    ...shell(),
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    // A test that is not about it has nothing to wait for.
    DRAIN_SECONDS: '0',
    // Counted all the same: what the count costs is part of what is measured.
    RATE_LIMIT_PER_TOKEN: '1000000000',
    RATE_LIMIT_PER_ORGANIZATION: '1000000000',
    ...(address && { DATABASE_URL: address }),
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  let output = ''
  const end = (signal: NodeJS.Signals): Promise<number | null> =>
    new Promise((ended) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return ended(child?.exitCode ?? null)
      child.once('exit', ended)
      child.kill(signal)
    })
  atEnd(async () => {
    await end('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  // A worker has no address to ask.
  const ready = async (): Promise<boolean> => {
    if (settings['ROLE'] === 'worker') return output.includes('Groundwork is ready')
    return fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    )
  }
  return {
    url,
    env,
    output: () => output,
    pid() {
      if (child?.pid === undefined) throw new Error('the program was not started')
      return child.pid
    },
    async start() {
      child = spawn(process.execPath, ['server/dist/main.js'], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const started = child
      started.stdout?.on('data', (data: Buffer) => (output += data.toString()))
      started.stderr?.on('data', (data: Buffer) => (output += data.toString()))
      const deadline = Date.now() + 240_000
      while (!(await ready())) {
        if (Date.now() > deadline) throw new Error(`the program does not become ready:\n${output}`)
        if (started.exitCode !== null || started.signalCode !== null) throw new Error(`the program ended:\n${output}`)
        await pause(50)
      }
    },
    async kill() {
      await end('SIGKILL')
    },
    stop: () => end('SIGTERM'),
    async peakMb() {
      if (process.platform !== 'linux') return null
      const status = await readFile(`/proc/${child?.pid}/status`, 'utf8')
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
    },
  }
}

/** Of the environment only what a shell has anyway: a test runner sets variables that mean something to the program. */
export function shell(): Record<string, string> {
  return Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

/** What the program stores in, in this run. */
export const engineName = (): string => (process.env['TEST_DATABASE_URL'] === undefined ? 'embedded engine' : 'PostgreSQL')

/** Returns its address. */
async function newDatabase(server: string, template: string | undefined): Promise<string> {
  const name = `e2e_${process.pid}_${Math.trunc(Math.random() * 1e9)}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  await client.end()
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** A token made by the command line, beside the program or without it. */
export async function createToken(
  { env }: Pick<Program, 'env'>,
  ...options: string[]
): Promise<{ token: string; id: string; organizationId: string }> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['cli/dist/main.js', 'token', 'create', '--organization', 'Acme', '--json', ...options],
    { cwd: root, env },
  )
  return JSON.parse(stdout) as { token: string; id: string; organizationId: string }
}
