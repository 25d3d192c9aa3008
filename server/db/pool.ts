import pg, { type ClientBase, type PoolClient, type PoolConfig, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { tracedStatement } from '../lib/tracing.ts'
import { ConnectionError } from './connection-error.ts'
import { prepareScope } from './scoped-query.ts'

/** How to reach the server: its address, or streams to the embedded engine. */
export type Connection = { connectionString: string } | { stream: () => Duplex }

export interface PoolOptions {
  /** Maximum number of connections. */
  connections: number
  /** Receives the error that ended an established connection, once per connection. */
  onLost: (error: Error) => void
  /** Whether each connection has a session of its own; true by default. A pooler in transaction mode gives it one for each transaction. */
  hasSessions?: boolean
  /** Time after which an idle connection is closed; 60 s by default, and never with 0. */
  idleTimeoutMs?: number
}

/** The options of `pg` beyond its types. */
interface Settings extends Omit<PoolConfig, 'onConnect'> {
  readonly pipeline: true
  /** The pool hands the connection out when this resolves, and closes it when it rejects. */
  readonly onConnect: (client: ClientBase) => Promise<void>
}

/** How often `connect` tries, over about a second: no statement has been sent yet, so another attempt repeats nothing. */
const maxAttempts = 10
const firstPauseMs = 10
const maxPauseMs = 200
/** No further attempt begins after this time: waiting for a connection or for the network may take long each time. */
const attemptsEndMs = 5000

const lost = new WeakSet<ClientBase>()

/**
 * Opens a pool whose connections always have an error listener. Those with sessions are prepared for `ScopedQuery` before they are
 * handed out.
 */
export function openPool(
  connection: Connection,
  { connections, onLost, hasSessions = true, idleTimeoutMs = 60_000 }: PoolOptions,
): pg.Pool {
  const settings: Settings = {
    ...connection,
    max: connections,
    types: { getTypeParser },
    application_name: 'groundwork',
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: idleTimeoutMs,
    // Detects within 20 s that the server's machine is gone: Node probes each second after this.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Statements are sent without waiting for the answer to the one before.
    pipeline: true,
    onConnect: async (client) => {
      client.on('error', (error) => {
        if (!lost.has(client)) onLost(error)
        lost.add(client)
      })
      if (hasSessions) await prepareScope(client).catch(namingPooler)
    },
  }
  const pool = new PatientPool(settings)
  // The client's own listener reports the loss. The pool adds the client, with its cancel key, to an error that also reaches logs.
  pool.on('error', (error) => Reflect.deleteProperty(error, 'client'))
  return pool
}

/** SQLSTATE duplicate_prepared_statement: another connection has used the same session. */
const duplicateStatement = '42P05'

/** Another attempt at connecting may get a session of its own by chance, so there is none. */
class SharedSessionError extends Error {
  constructor(cause: Error) {
    super('a connection pooler shares sessions between connections; DATABASE_POOLER=transaction is required', { cause })
  }
}

function namingPooler(error: unknown): never {
  throw error instanceof pg.DatabaseError && error.code === duplicateStatement ? new SharedSessionError(error) : error
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: PoolClient['release']) => void

class PatientPool extends pg.Pool {
  override connect(): Promise<PoolClient>
  override connect(onConnected: Connected): void
  override connect(onConnected?: Connected): Promise<PoolClient> | void {
    const connecting = this.#connect()
    if (onConnected === undefined) return connecting
    connecting.then(
      (client) => onConnected(undefined, client, (broken) => client.release(broken)),
      (error: Error) => onConnected(error, undefined, () => undefined),
    )
  }

  async #connect(): Promise<PoolClient> {
    const end = performance.now() + attemptsEndMs
    for (let [attempt, pauseMs] = [1, firstPauseMs]; ; attempt += 1) {
      try {
        return await super.connect()
      } catch (error) {
        if (error instanceof SharedSessionError || attempt === maxAttempts || performance.now() > end || this.ending)
          throw new ConnectionError('the database cannot be reached', error)
      }
      await delay(pauseMs)
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
    }
  }
}

/** Runs a statement. Throws a ConnectionError if the connection is lost before its answer. */
export async function ask<Row extends QueryResultRow>(client: ClientBase, statement: QueryConfig | string): Promise<QueryResult<Row>> {
  try {
    return await tracedStatement(typeof statement === 'string' ? statement : statement.text, () => client.query<Row>(statement))
  } catch (error) {
    throw lostOr(client, error)
  }
}

/** Returns the error as callers should see it: a ConnectionError if the client's connection was lost. */
export function lostOr(client: ClientBase, error: unknown): unknown {
  const told = error instanceof pg.DatabaseError || !lost.has(client)
  return told ? error : new ConnectionError('the connection to the database was lost', error)
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins
/** bigint as a number: every one of ours counts rows, bytes or generations and stays far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) => {
  if (oid === INT8 && format !== 'binary') return (text: string) => Number(text)
  if (oid === TIMESTAMPTZ && format !== 'binary') return timeIn
  return pg.types.getTypeParser(oid, format as 'text')
}

const parseTime = pg.types.getTypeParser(TIMESTAMPTZ, 'text') as (text: string) => Date

/** Returns a time of the database. `Date` is several times faster than the parser of `pg`, but takes the year 24 for 2024. */
const timeIn = (text: string): Date => (text.startsWith('00') ? parseTime(text) : new Date(text))
