import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { acceptsConnections } from './accepts-connections.ts'
import { freePort } from './free-port.ts'

/** PgBouncer in front of a PostgreSQL server. */
export interface PgBouncer {
  /** Returns the URL of a database of the server, through PgBouncer. */
  through(databaseUrl: string): string
  close(): Promise<void>
}

export interface PgBouncerOptions {
  readonly mode: 'transaction' | 'session'
  /** Maximum number of sessions for each database. */
  readonly poolSize: number
  /** Further lines of the configuration. */
  readonly settings?: string
}

const env = { PATH: `${process.env['PATH']}:/usr/sbin` }
const nobody = ['--reuid', '65534', '--regid', '65534', '--clear-groups']

export function pgbouncerIsInstalled(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts PgBouncer on a free port, and waits until it accepts connections. */
export async function startPgBouncer(serverUrl: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const { hostname, port: serverPort, username } = new URL(serverUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-pgbouncer-'))
  const file = await open(join(folder, 'pgbouncer.ini'), 'w+', 0o644)
  const database = `host=${hostname} port=${serverPort} user=${username}`
  await file.write(await documentedConfiguration({ ...options, database, port }))
  // As root, it runs as the user nobody, which cannot open the folder but can read the file by its descriptor. The kernel ends it with
  // this process.
  const owner = process.getuid?.() === 0 ? nobody : []
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...owner, '--', 'pgbouncer', '/dev/fd/3'], {
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe', file.fd],
  })
  let output = ''
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()))
  const through = (databaseUrl: string): string => Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${port}` }).href
  while (!(await acceptsConnections(through(serverUrl)))) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`PgBouncer ended:\n${output}`)
    await setTimeout(20)
  }
  return {
    through,
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill('SIGKILL')
      await ended
      await file.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the configuration of docs/operations/poolers-and-replicas.md, for a test: without passwords and a socket. */
async function documentedConfiguration(values: PgBouncerOptions & { database: string; port: number }): Promise<string> {
  const page = await readFile(new URL('../../docs/operations/poolers-and-replicas.md', import.meta.url), 'utf8')
  const documented = /^```ini\n(.*?)^```$/ms.exec(page)?.[1]
  if (documented === undefined) throw new Error('the page has no configuration of PgBouncer')
  const replacements: Readonly<Record<string, string>> = {
    groundwork: `* = ${values.database}`,
    listen_addr: 'listen_addr = 127.0.0.1',
    listen_port: `listen_port = ${values.port}`,
    auth_type: 'auth_type = any',
    auth_file: 'unix_socket_dir =',
    pool_mode: `pool_mode = ${values.mode}`,
    default_pool_size: `default_pool_size = ${values.poolSize}`,
  }
  const lines = documented.split('\n').map((line) => replacements[line.split(' ')[0] ?? ''] ?? line)
  return [...lines, values.settings ?? '', ''].join('\n')
}
