import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { acceptsConnections } from './accepts-connections.ts'
import { freePort } from './free-port.ts'

const run = promisify(execFile)

/** A PostgreSQL server and its streaming replica, with a database that has the extension vector. */
export interface ReplicatedPostgres {
  readonly primaryUrl: string
  readonly replicaUrl: string
  /** Stops the replica's replay of transactions, or lets it go on. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
  /** Stops the replica's server, and starts it again. */
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  close(): Promise<void>
}

/** Returns the folder of PostgreSQL's programs, which `.ci/with-postgres` sets; null without those that a replica needs. */
export function postgresPrograms(): string | null {
  const bin = process.env['PG_BIN'] ?? ''
  return existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'pg_basebackup')) ? bin : null
}

export async function startReplicatedPostgres(bin: string): Promise<ReplicatedPostgres> {
  // PostgreSQL refuses to run as root, and its user may not see the folder of the test.
  const isRoot = process.getuid?.() === 0
  const folder = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'groundwork-replica-'))
  if (isRoot) await run('chown', ['postgres', folder])
  const owner = isRoot ? ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : []
  const asOwner = (program: string, parameters: string[]): [string, string[], { cwd: string }] => [
    'setpriv',
    ['--pdeathsig', 'INT', ...owner, '--', join(bin, program), ...parameters],
    { cwd: '/' },
  ]
  const url = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`
  const start = async (data: string, port: number): Promise<ChildProcess> => {
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, fsync: 'off', max_connections: 50 }
    const [program, parameters, options] = asOwner('postgres', [
      '-D',
      join(folder, data),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    const child = spawn(program, parameters, { ...options, stdio: 'ignore' })
    while (!(await acceptsConnections(url(port)))) {
      if (child.exitCode !== null) throw new Error(`the server in ${data} ended with code ${child.exitCode}`)
      await setTimeout(20)
    }
    return child
  }
  await run(
    ...asOwner('initdb', ['--pgdata', join(folder, 'primary'), '--username', 'postgres', '--auth', 'trust', '--no-sync', '-E', 'UTF8']),
  )
  const [primaryPort, replicaPort] = [await freePort(), await freePort()]
  const primary = await start('primary', primaryPort)
  await execute(url(primaryPort), 'create extension vector')
  await run(
    ...asOwner('pg_basebackup', [
      '--pgdata',
      join(folder, 'replica'),
      '--dbname',
      url(primaryPort),
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]),
  )
  let replica = await start('replica', replicaPort)
  return {
    primaryUrl: url(primaryPort),
    replicaUrl: url(replicaPort),
    pauseReplay: () => execute(url(replicaPort), 'select pg_wal_replay_pause()'),
    resumeReplay: () => execute(url(replicaPort), 'select pg_wal_replay_resume()'),
    stopReplica: () => end(replica),
    async startReplica() {
      replica = await start('replica', replicaPort)
    },
    async close() {
      await end(replica)
      await end(primary)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** SIGINT is a fast shutdown, which terminates sessions. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGINT')
  await ended
}

async function execute(connectionString: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}
