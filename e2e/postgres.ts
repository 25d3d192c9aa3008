import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort, pause, root } from './program.ts'

const run = promisify(execFile)

/** A PostgreSQL server that the test can stop and restart. */
export interface PostgresServer {
  readonly url: string
  /** Starts the server and waits until it accepts connections. */
  start(): Promise<void>
  /** SIGINT is a fast shutdown, SIGKILL a crash. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
  /** Terminates all client sessions except its own. */
  terminateSessions(): Promise<void>
}

/** @param atEnd registers the cleanup; tests pass `onTestFinished` */
export async function postgresServer(atEnd: (end: () => Promise<void>) => void): Promise<PostgresServer> {
  const bin = process.env['PG_BIN'] ?? (await run(join(root, '.ci/postgres-with-pgvector'))).stdout.trim()
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-postgres-'))
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0
  if (isRoot) await run('chown', ['postgres', folder])
  const owner = isRoot ? ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : []
  const asOwner = (program: string, options: string[]): [string, string[]] => [
    'setpriv',
    ['--pdeathsig', 'INT', ...owner, '--', join(bin, program), ...options],
  ]
  const data = join(folder, 'data')
  await run(...asOwner('initdb', ['--pgdata', data, '--username', 'postgres', '--auth', 'trust', '--encoding', 'UTF8', '--no-sync']), {
    cwd: '/',
  })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined
  const ended = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null

  const answers = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined) // The test ends this connection together with the server.
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }

  const server: PostgresServer = {
    url,
    async start() {
      // fsync is off, because the kernel keeps the writes of a killed server.
      const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: 'off', max_connections: 100 }
      const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
      while (!(await answers())) {
        // Backends of a killed server keep its shared memory for a moment, so the first attempts may fail.
        if (ended()) child = spawn(...asOwner('postgres', ['-D', data, ...options]), { cwd: '/', stdio: 'ignore' })
        await pause(20)
      }
    },
    async end(signal) {
      if (child === undefined || ended()) return
      const exit = new Promise((done) => child?.once('exit', done))
      child.kill(signal)
      await exit
    },
    async terminateSessions() {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      await client.end()
    },
  }
  atEnd(async () => {
    await server.end('SIGINT')
    await rm(folder, { recursive: true, force: true })
  })
  return server
}
