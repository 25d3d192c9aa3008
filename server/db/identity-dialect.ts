import type { CompiledQuery, DatabaseConnection, Dialect, QueryResult } from 'kysely'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import { ask } from './pool.ts'
import { postgres } from './postgres-dialect.ts'

const begin = 'begin; set local role groundwork_identity; set local search_path = identity, pg_temp'

interface Connection extends DatabaseConnection {
  readonly client: PoolClient
  inTransaction: boolean
  broken: boolean
}

/**
 * Runs statements as the role that may use the tables of the schema `identity` and no others. The role ends with each
 * transaction, so every statement is in one, and is sent only after the server has confirmed the role.
 */
export function identityDialect(pool: Pool): Dialect {
  return postgres({
    init: async () => undefined,
    acquireConnection: async () => connectionOn(await pool.connect()),
    beginTransaction: async (connection) => {
      // Kysely rolls back only transactions that have begun. If the role is refused, the transaction is open nevertheless.
      own(connection).broken = true
      await ask(own(connection).client, begin)
      own(connection).broken = false
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
      const run = () => ask<Row & QueryResultRow>(client, { text, values: [...parameters] })
      const { rows, rowCount } = await (connection.inTransaction ? run() : alone(connection, run))
      return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
    },
    streamQuery: () => {
      throw new Error('rows are not streamed')
    },
  }
  return connection
}

/** Runs one statement in a transaction of its own. */
async function alone<T>(connection: Connection, run: () => Promise<T>): Promise<T> {
  try {
    await ask(connection.client, begin)
    const answer = await run()
    await ask(connection.client, 'commit')
    return answer
  } catch (error) {
    // If the connection cannot roll back, it is closed instead; the first error is the one to report.
    await end(connection, 'rollback').catch(() => undefined)
    throw error
  }
}

async function end(connection: Connection, how: 'commit' | 'rollback'): Promise<void> {
  connection.inTransaction = false
  try {
    await ask(connection.client, how)
  } catch (error) {
    connection.broken = true
    throw error
  }
}

/** Kysely hands back what `acquireConnection` gave it. */
const own = (connection: DatabaseConnection): Connection => connection as Connection
