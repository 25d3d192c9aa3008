import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { Pool, PoolClient, QueryConfig, QueryResult as Answer, QueryResultRow } from 'pg'
import { tracedStatement } from '../lib/tracing.ts'
import { breaksConnection } from './connection-error.ts'
import type { DeferOptions, OnRows, OpenTransaction, Savepoint } from './deferred.ts'
import { inOneWrite } from './pg-wire.ts'
import { ask, lostOr } from './pool.ts'
import { namingQuota } from './quota-error.ts'
import { askScoped, type Scope } from './scoped-query.ts'
import type { StatementNames } from './statement-names.ts'
import { isChangedResult } from './violations.ts'

export interface TransactionOptions {
  /** Makes a statement fail with 40001 if it would change a row that changed after the transaction began. */
  readonly repeatableRead?: boolean
  /** Never runs the function again. By default it is repeated if a migration changed the columns of a prepared statement. */
  readonly runsOnce?: boolean
}

interface TransactionTools {
  readonly pool: Pool
  readonly names: StatementNames
}

/** Maximum attempts after migrations changed the columns of prepared statements. */
const maxAttempts = 3

/**
 * Runs `fn` in one transaction of a scope: commits when it returns, rolls back when it throws. A connection that was given
 * to `fn` refuses statements once the transaction has ended.
 */
export async function inTransaction<T>(
  tools: TransactionTools,
  scope: Scope,
  options: TransactionOptions,
  fn: (connection: DatabaseConnection & OpenTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inOneTransaction(tools, scope, options, fn)
    } catch (error) {
      if (!isChangedResult(error) || options.runsOnce === true || attempt === maxAttempts) throw namingQuota(error)
    }
  }
}

async function inOneTransaction<T>(
  tools: TransactionTools,
  scope: Scope,
  options: TransactionOptions,
  fn: (connection: DatabaseConnection & OpenTransaction) => Promise<T>,
): Promise<T> {
  const transaction = new ScopedTransaction(tools, await tools.pool.connect(), scope, options)
  try {
    const result = await fn(transaction)
    await transaction.commit()
    transaction.committed()
    return result
  } catch (error) {
    await transaction.rollback(error)
    throw error
  }
}

interface Deferred {
  readonly statement: QueryConfig
  readonly onRows: OnRows
  readonly isCheck: boolean
}

const ignoreRows: OnRows = () => undefined
const ignoringRows = (text: string): Deferred => ({ statement: { text }, onRows: ignoreRows, isCheck: false })

/**
 * BEGIN and the scope travel with the first statement, in one message. No other statement is sent before the server has
 * confirmed them, so none can run outside the transaction or without its scope. After that, deferred statements travel with the
 * next one. Only the last statement of a group can end the transaction.
 */
class ScopedTransaction implements DatabaseConnection, OpenTransaction {
  readonly #tools: TransactionTools
  readonly #scope: Scope
  readonly #begin: 'begin' | 'begin_repeatable_read'
  #client: PoolClient | undefined
  /** Resolves when the first statement has been answered. */
  #beginning: Promise<void> | undefined
  #begun = false
  #ended = false
  /** Statements that travel with the next one. */
  #deferred: Deferred[] = []
  /** The error of a deferred statement: nothing else of the transaction can succeed. */
  #failure: { readonly error: unknown } | undefined
  #listeners: (() => void)[] = []

  constructor(tools: TransactionTools, client: PoolClient, scope: Scope, { repeatableRead = false }: TransactionOptions) {
    this.#tools = tools
    this.#client = client
    this.#scope = scope
    this.#begin = repeatableRead ? 'begin_repeatable_read' : 'begin'
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await this.#ask<Row & QueryResultRow>(this.#statement(query))
    return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
  }

  #statement({ sql: text, parameters, query }: CompiledQuery, isReused = query.kind !== 'RawNode'): QueryConfig {
    // Raw SQL relies on a plan for its parameters; a named statement may get a generic plan.
    const name = isReused ? this.#tools.names.of(text) : undefined
    return { text, values: [...parameters], ...(name !== undefined && { name }) }
  }

  async defer(query: CompiledQuery, { onRows = ignoreRows, isCheck = false, isReused }: DeferOptions = {}): Promise<void> {
    await this.#deferOrAsk({ statement: this.#statement(query, isReused), onRows, isCheck })
  }

  async savepoint(): Promise<Savepoint> {
    const begin = ignoringRows('savepoint part')
    await this.#deferOrAsk(begin)
    const listeners = this.#listeners.length
    return {
      release: () => void this.#deferred.push(ignoringRows('release savepoint part')),
      rollBack: () => {
        this.#listeners.length = listeners
        const at = this.#deferred.indexOf(begin)
        this.#deferred = at < 0 ? [ignoringRows('rollback to savepoint part')] : this.#deferred.slice(0, at)
      },
    }
  }

  afterCommit(listener: () => void): void {
    this.#listeners.push(listener)
  }

  committed(): void {
    for (const listener of this.#listeners) listener()
  }

  /** The first statement of a transaction is not deferred: the others wait until it is answered. */
  async #deferOrAsk(deferred: Deferred): Promise<void> {
    if (this.#ended) throw new Error('the transaction has ended')
    if (this.#beginning !== undefined) this.#deferred.push(deferred)
    else deferred.onRows((await this.#ask(deferred.statement)).rows)
  }

  streamQuery(): never {
    throw new Error('rows are not streamed')
  }

  async commit(): Promise<void> {
    this.#ended = true
    const client = this.#client
    if (client !== undefined && this.#beginning !== undefined) {
      await this.#beginning
      if (this.#deferred.some(({ isCheck }) => isCheck)) await this.#sendDeferred(client)
      const { command } = await this.#send(client, { text: 'commit' })
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
    return this.#send<Row>(this.#open(), statement)
  }

  async #sendDeferred(client: PoolClient): Promise<void> {
    const last = this.#deferred.pop()
    if (last !== undefined) last.onRows((await this.#send(client, last.statement)).rows)
  }

  async #send<Row extends QueryResultRow>(client: PoolClient, statement: QueryConfig): Promise<Answer<Row>> {
    try {
      return await this.#sendAll<Row>(client, statement)
    } catch (error) {
      // Other connections have prepared it too: a repetition must not meet the same failure there.
      if (isChangedResult(error)) this.#tools.names.renew()
      throw error
    }
  }

  /** Sends the deferred statements and this one in one write. Throws the first error: it is the cause of those that follow. */
  async #sendAll<Row extends QueryResultRow>(client: PoolClient, statement: QueryConfig): Promise<Answer<Row>> {
    if (!this.#begun) throw new Error('the transaction did not begin')
    if (this.#failure !== undefined) throw this.#failure.error
    const deferred = this.#deferred
    this.#deferred = []
    if (deferred.length === 0) return ask<Row>(client, statement)
    const [earlier, last] = inOneWrite(client, () => [
      deferred.map(async ({ statement: each, onRows }) => onRows((await ask(client, each)).rows)),
      ask<Row>(client, statement),
    ])
    const [outcomes] = await Promise.all([Promise.allSettled(earlier), Promise.allSettled([last])])
    const failed = outcomes.find(({ status }) => status === 'rejected')
    if (failed?.status !== 'rejected') return last
    this.#failure = { error: failed.reason }
    throw failed.reason
  }

  /** Tries another connection if this one lacks a prepared statement: so far, nothing of the transaction has run. */
  async #first<Row extends QueryResultRow>(statement: QueryConfig): Promise<Answer<Row>> {
    for (let attemptsLeft = this.#tools.pool.options.max; ; attemptsLeft -= 1) {
      const client = this.#open()
      this.#tools.names.tidy(client)
      const query = askScoped<Row>(client, this.#scope, statement, { begin: this.#begin })
      try {
        return await tracedStatement(statement.text, () => query.result)
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
