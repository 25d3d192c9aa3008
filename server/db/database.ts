import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Duplex } from 'node:stream'
import type { Schema, Transaction } from './schema.ts'

/** The one store, whichever engine answers. */
export interface Database {
  /** Logs in as the schema's owner: for migrations, the queue and the command line. Rooms never see it. */
  readonly pool: pg.Pool
  /**
   * Runs `fn` in one transaction as `groundwork_app`, seeing the rows of `organizationId` alone; commits when it
   * returns, rolls back when it throws.
   */
  transaction<T>(organizationId: string, fn: (trx: Transaction) => Promise<T>): Promise<T>
  /** The same for who presents an API token and so has no organization yet: sees that one token and nothing else. */
  asBearer<T>(tokenHash: Buffer, fn: (trx: Transaction) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** How to reach the server: its address, or streams to the embedded engine. */
export type Connection = { connectionString: string } | { stream: () => Duplex }

export interface DatabaseOptions {
  /** Connections at most; 10 by default. */
  connections?: number
  onError?: (error: Error) => void
}

export function connectDatabase(connection: Connection, { connections = 10, onError }: DatabaseOptions = {}): Database {
  const pool = new pg.Pool({
    ...connection,
    max: connections,
    types: { getTypeParser },
    application_name: 'groundwork',
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 60_000,
  })
  pool.on('error', (error) => onError?.(error))
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    pool,
    transaction(organizationId, fn) {
      if (!/^[0-9a-f-]{36}$/.test(organizationId)) throw new Error('an organization id is a UUID')
      return db.connection().execute((session) => inTransaction(session, `app.organization_id = '${organizationId}'`, fn))
    },
    asBearer: (tokenHash, fn) =>
      db.connection().execute((session) => inTransaction(session, `app.token_hash = '${tokenHash.toString('hex')}'`, fn)),
    // Not through Kysely, which ends the pool only when it has run a statement itself.
    close: () => pool.end(),
  }
}

/** begin and both settings travel as one message: a round trip each would double the cost of a small read. */
async function inTransaction<T>(connection: Transaction, setting: string, fn: (trx: Transaction) => Promise<T>): Promise<T> {
  try {
    await sql.raw(`begin; set local role groundwork_app; set local ${setting}`).execute(connection)
    const result = await fn(connection)
    await sql`commit`.execute(connection)
    return result
  } catch (error) {
    // The first error tells more than a rollback that fails because the connection is gone.
    await sql`rollback`.execute(connection).catch(() => undefined)
    throw error
  }
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins
/** bigint as a number: every one of ours counts rows, bytes or generations and stays far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) => {
  if (oid === INT8 && format !== 'binary') return (text: string) => Number(text)
  if (oid === TIMESTAMPTZ && format !== 'binary') return (text: string) => new Date(text)
  return pg.types.getTypeParser(oid, format as 'text')
}
