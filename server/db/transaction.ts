import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Pool, PoolClient, QueryConfig, QueryResult as Answer, QueryResultRow } from 'pg'
import { breaksConnection } from './connection-error.ts'
import { ask, lostOr } from './pool.ts'
import { askScoped, type Scope } from './scoped-query.ts'
import type { StatementNames } from './statement-names.ts'

export interface TransactionOptions {
  /** Makes a statement fail with 40001 if it would change a row that changed after the transaction began. */
  readonly repeatableRead?: boolean
}

interface TransactionTools {
  readonly pool: Pool
  readonly names: StatementNames
}

/**
 * Runs `fn` in one transaction of a scope: commits when it returns, rolls back when it throws. A connection that was given
 * to `fn` refuses statements once the transaction has ended.
 */
export async function inTransaction<T>(
  tools: TransactionTools,
  scope: Scope,
  options: TransactionOptions,
  fn: (connection: DatabaseConnection) => Promise<T>,
): Promise<T> {
  const transaction = new ScopedTransaction(tools, await tools.pool.connect(), scope, options)
  try {
    const result = await fn(transaction)
    await transaction.commit()
    return result
  } catch (error) {
    await transaction.rollback(error)
    throw error
  }
}

/**
 * BEGIN and the scope travel with the first statement, in one message. No other statement is sent before the server has
 * confirmed them, so none can run outside the transaction or without its scope.
 */
class ScopedTransaction implements DatabaseConnection {
  readonly #tools: TransactionTools
  readonly #scope: Scope
  readonly #begin: 'begin' | 'begin_repeatable_read'
  #client: PoolClient | undefined
  /** Resolves when the first statement has been answered. */
  #beginning: Promise<void> | undefined
  #begun = false
  #ended = false

  constructor(tools: TransactionTools, client: PoolClient, scope: Scope, { repeatableRead = false }: TransactionOptions) {
    this.#tools = tools
    this.#client = client
    this.#scope = scope
    this.#begin = repeatableRead ? 'begin_repeatable_read' : 'begin'
  }

  async executeQuery<Row>({ sql: text, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    // Raw SQL relies on a plan for its parameters; a named statement may get a generic plan.
    const name = query.kind === 'RawNode' ? undefined : this.#tools.names.of(text)
    const { rows, rowCount } = await this.#ask<Row & QueryResultRow>({ text, values: [...parameters], ...(name !== undefined && { name }) })
    return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
  }

  streamQuery(): never {
    throw new Error('rows are not streamed')
  }

  async commit(): Promise<void> {
    this.#ended = true
    const client = this.#client
    if (client !== undefined && this.#beginning !== undefined) {
      const { command } = await ask(client, 'commit')
      // The server answers ROLLBACK if a statement failed, also where `fn` caught its error.
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because one of its statements had failed')
    }
    this.#client = undefined
    client?.release()
  }

  /** Never rejects: a connection that cannot roll back is closed, which ends its transaction too. */
  async rollback(cause: unknown): Promise<void> {
    this.#ended = true
    const client = this.#client
    this.#client = undefined
    if (client === undefined) return
    if (this.#beginning === undefined) return client.release()
    const broken = await ask(client, 'rollback').then(
      () => breaksConnection(cause),
      () => true,
    )
    client.release(broken)
  }

  async #ask<Row extends QueryResultRow>(statement: QueryConfig): Promise<Answer<Row>> {
    if (this.#beginning === undefined) {
      const first = this.#first<Row>(statement)
      this.#beginning = first.then(
        () => undefined,
        () => undefined, // The error is the first statement's own: its caller receives it.
      )
      return first
    }
    await this.#beginning
    if (!this.#begun) throw new Error('the transaction did not begin')
    return ask(this.#open(), statement)
  }

  /** Tries another connection if this one lacks a prepared statement: so far, nothing of the transaction has run. */
  async #first<Row extends QueryResultRow>(statement: QueryConfig): Promise<Answer<Row>> {
    for (let attemptsLeft = this.#tools.pool.options.max; ; attemptsLeft -= 1) {
      const client = this.#open()
      this.#tools.names.tidy(client)
      const query = askScoped<Row>(client, this.#scope, statement, { begin: this.#begin })
      try {
        return await query.result
      } catch (error) {
        if (!query.isStale(error) || attemptsLeft === 0 || this.#ended) throw lostOr(client, error)
        await this.#replace(client)
      } finally {
        this.#begun = query.isScoped()
      }
    }
  }

  async #replace(client: PoolClient): Promise<void> {
    this.#client = undefined
    client.release(true)
    const next = await this.#tools.pool.connect()
    if (this.#ended) next.release()
    else this.#client = next
  }

  #open(): PoolClient {
    if (this.#ended || this.#client === undefined) throw new Error('the transaction has ended')
    return this.#client
  }
}
