import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import { postgres } from './postgres-dialect.ts'

const begin = 'begin; set local role groundwork_identity; set local search_path = identity, pg_temp'

interface Connection extends DatabaseConnection {
  readonly client: PoolClient
  inTransaction: boolean
  broken: boolean
}

/**
 * Kysely for who may use the tables of the schema `identity` and no other. The role ends with each transaction, so every
 * statement is in one: a connection that goes back to the pool is nobody's.
 */
export function identityDialect(pool: Pool): Dialect {
  return postgres({
    init: async () => undefined,
    acquireConnection: async () => connectionOn(await pool.connect()),
    beginTransaction: async (connection) => {
      await own(connection).client.query(begin)
      own(connection).inTransaction = true
    },
    commitTransaction: (connection) => end(own(connection), 'commit'),
    rollbackTransaction: (connection) => end(own(connection), 'rollback'),
    releaseConnection: async (connection) => own(connection).client.release(own(connection).broken),
    destroy: async () => undefined,
  })
}

function connectionOn(client: PoolClient): Connection {
  const connection: Connection = {
    client,
    inTransaction: false,
    broken: false,
    async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const ask = () => client.query<Row & QueryResultRow>({ text, values: [...parameters] })
      const { rows, rowCount } = await (connection.inTransaction ? ask() : alone(connection, ask))
      return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
    },
    streamQuery: () => {
      throw new Error('rows are not streamed')
    },
  }
  return connection
}

/** The statement in a transaction of its own. */
async function alone<T>(connection: Connection, ask: () => Promise<T>): Promise<T> {
  try {
    await connection.client.query(begin)
    const answer = await ask()
    await connection.client.query('commit')
    return answer
  } catch (error) {
    await end(connection, 'rollback').catch(() => undefined)
    throw error
  }
}

async function end(connection: Connection, how: 'commit' | 'rollback'): Promise<void> {
  connection.inTransaction = false
  try {
    await connection.client.query(how)
  } catch (error) {
    connection.broken = true
    throw error
  }
}

/** Kysely hands back what `acquireConnection` gave it. */
const own = (connection: DatabaseConnection): Connection => connection as Connection
