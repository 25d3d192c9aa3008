import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

export const root = resolve(import.meta.dirname, '..')

/** The built program with its own data and port. It can be killed and restarted on the same data. */
export interface Program {
  readonly url: string
  readonly env: Record<string, string>
  /** Starts the program and waits until it is ready. */
  start(): Promise<void>
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
  /** Returns the output so far. */
  output(): string
  /** Its process id. Throws unless it was started. */
  pid(): number
  /** Returns the exit code, or the signal that ended it; null while it runs. */
  ended(): number | NodeJS.Signals | null
  /** Returns the peak memory of the process (VmHWM) in MB, without its child processes; null on systems other than Linux. */
  peakMb(): Promise<number | null>
}

/**
 * @param atEnd registers the cleanup; tests pass `onTestFinished`
 * @param settings additional environment variables
 * @param store `migrated` copies an empty migrated database, if this run has created one; migrations take half of a first start
 * @param command starts it, in the root folder
 */
export async function program(
  atEnd: (end: () => Promise<void>) => void,
  settings: Record<string, string> = {},
  store: 'migrated' | 'none' = 'migrated',
  command: readonly [string, ...string[]] = builtProgram,
): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), 'groundwork-e2e-'))
  const port = settings['PORT'] ?? (await freePort())
  const template = store === 'migrated' ? process.env['TEST_TEMPLATE'] : undefined
  const server = process.env['TEST_DATABASE_URL']
  const address = server === undefined ? undefined : await newDatabase(server, template)
  if (server === undefined && template !== undefined) await promisify(execFile)('cp', ['-R', template, join(dataDir, 'db')])
  const env = {
    ...shell(),
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    // Only tests of draining wait for it.
    DRAIN_SECONDS: '0',
    // Effectively unlimited, but requests are still counted, so measurements include that cost.
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
  // A worker has no HTTP endpoint, so its output shows that it is ready.
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
    ended: () => child?.exitCode ?? child?.signalCode ?? null,
    async start() {
      const [file, ...words] = command
      child = spawn(file, words, {
        cwd: root,
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      const started = child
      started.stdout?.on('data', (data: Buffer) => (output += data.toString()))
      started.stderr?.on('data', (data: Buffer) => (output += data.toString()))
      const deadline = Date.now() + 240_000
      while (!(await ready())) {
        if (Date.now() > deadline) throw new Error(`the program does not become ready:\n${output}`)
        if (started.exitCode !== null || started.signalCode !== null)
          throw new Error(`the program ended (${started.exitCode ?? started.signalCode}):\n${output}`)
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

const builtProgram = [process.execPath, 'server/dist/main.js'] as const

/** Starts the program until the test process ends, however it does: that closes the standard input. */
export const untilProcessEnds = ['bash', '-c', '"$@" & program=$!; cat; kill -9 $program', 'bash', ...builtProgram] as const

/** Returns a minimal environment, because a test runner sets variables that affect the program. */
export function shell(): Record<string, string> {
  return Object.fromEntries(
    ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

/** Returns the name of the database engine of this run. */
export const engineName = (): string => (process.env['TEST_DATABASE_URL'] === undefined ? 'embedded engine' : 'PostgreSQL')

/** Creates a database and returns its URL. */
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

/** Creates a token with the command line, whether the program is running or not. */
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
