import type { ClientBase, Pool, PoolClient } from 'pg'
import { randomInt } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { openPool } from './pool.ts'

/** A program with the smallest pool uses as many connections: two, and one for notifications. */
const connections = 3
const rounds = 6
/** A pooler in session mode lets a connection wait until a session is free. A connection without an answer is not asked again. */
const answerTimeoutMs = 5000

type CheckedSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL'

const transactionPooler =
  'leads to a connection pooler that gives each transaction another session (transaction mode). ' +
  'Groundwork then needs DATABASE_POOLER=transaction, and in DATABASE_DIRECT_URL the address of the PostgreSQL server itself.'

/**
 * Checks that each connection of the URL keeps a session of its own, as those of a PostgreSQL server and of a pooler in session mode do.
 *
 * A pooler in transaction mode answers the same connection from several sessions, or several open connections from the same one.
 * Which of them shows depends on how it chooses an idle session: the last one used answers all connections, the one idle for longest
 * answers two requests of a connection in a row from two sessions. Other clients of the pooler make the choice random, which no
 * pooler survives over all rounds.
 * @throws Error that names the setting if a connection has no session of its own; ConnectionError if the server cannot be reached
 */
export async function assertSessions(setting: CheckedSetting, connectionString: string): Promise<void> {
  const pool = checkedPool(connectionString, connections)
  let clients: PoolClient[] = []
  try {
    clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()))
    if (!(await haveSessions(clients))) throw new Error(refusal(setting))
  } finally {
    // Closed, because one of them may still wait for an answer.
    for (const client of clients) client.release(true)
    await pool.end()
  }
}

/**
 * @throws Error if DATABASE_URL and DATABASE_DIRECT_URL lead to different databases; ConnectionError if one of them cannot be reached
 */
export async function assertSameDatabase(databaseUrl: string, directUrl: string): Promise<void> {
  const [pool, direct] = [checkedPool(databaseUrl, 1), checkedPool(directUrl, 1)]
  const key = randomInt(2 ** 40)
  try {
    const holder = await direct.connect()
    try {
      // Advisory locks belong to one database of one server.
      await holder.query('select pg_advisory_lock($1)', [key])
      const { rows } = await pool.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [key])
      if (rows[0]?.locked === true) throw new Error('DATABASE_DIRECT_URL: leads to another database than DATABASE_URL.')
    } finally {
      holder.release(true)
    }
  } finally {
    await Promise.all([pool.end(), direct.end()])
  }
}

const checkedPool = (connectionString: string, max: number): Pool =>
  openPool({ connectionString }, { connections: max, onLost: () => undefined, hasSessions: false })

async function haveSessions(clients: readonly ClientBase[]): Promise<boolean> {
  const sessions = new Map<ClientBase, string>()
  const silent = new Set<ClientBase>()
  for (let round = 0; round < rounds; round += 1)
    // The last one of a round is the first one of the next.
    for (const client of round % 2 === 0 ? clients : clients.toReversed()) {
      if (silent.has(client)) continue
      const session = await sessionOf(client)
      if (session === null) {
        silent.add(client)
        continue
      }
      const known = sessions.get(client)
      if (known !== undefined && known !== session) return false
      sessions.set(client, session)
      if (new Set(sessions.values()).size < sessions.size) return false
    }
  return true
}

/** Returns null if there is no answer in time. */
async function sessionOf(client: ClientBase): Promise<string | null> {
  const timeout = new AbortController()
  const answer = client
    .query<{ session: string }>(`select pg_backend_pid() || ' ' || pg_postmaster_start_time() as session`)
    .then(({ rows }) => rows[0]?.session ?? null)
  try {
    return await Promise.race([answer, setTimeout(answerTimeoutMs, null, { signal: timeout.signal })])
  } finally {
    timeout.abort()
    // Rejects when the connection is closed without an answer.
    answer.catch(() => undefined)
  }
}

function refusal(setting: CheckedSetting): string {
  if (setting === 'DATABASE_URL') return `DATABASE_URL: ${transactionPooler}`
  return `${setting}: leads to a connection pooler in transaction mode. It must lead to a PostgreSQL server itself, or to a pooler in session mode.`
}
