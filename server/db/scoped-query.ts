import pg, { type ClientBase, type FieldDef, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg'
import { ScopeError } from './connection-error.ts'
import { describedOn, WireQuery, type Described, type QueryCallback, type Wire } from './pg-wire.ts'

/**
 * Until the end of the transaction a statement is planned once a connection, whatever its parameters. Such a plan is kept for
 * long, and tables that are small when it is made may grow: so it goes by indexes alone.
 */
export const plannedOnceSettings = [
  ['plan_cache_mode', 'force_generic_plan'],
  ['enable_seqscan', 'off'],
  ['enable_hashjoin', 'off'],
  ['enable_mergejoin', 'off'],
]
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')

const role = 'groundwork_app'
const scopeText = `select set_config('role', '${role}', true), set_config($1, $2, true)`

/** The statements that go ahead of another one. They are prepared on each connection that has a session, before it is handed out. */
const prepared = {
  scope: scopeText,
  scope_planned_once: `${scopeText}, ${plannedOnceSettings}`,
  begin: 'begin',
  begin_repeatable_read: 'begin isolation level repeatable read',
}

/** Connections on which these statements are prepared. On others, each statement brings the texts of those ahead of it. */
const preparedOn = new WeakSet<Wire>()

/** The scope of statements: the setting that the policies of row-level security read, and its value. */
export interface Scope {
  readonly setting: `app.${string}`
  readonly value: string
}

export interface ScopedOptions {
  /** Sets the scope until the end of the transaction. By default the server plans a statement anew where that may pay. */
  readonly scopedBy?: 'scope' | 'scope_planned_once'
  /** Opens a transaction, which the statement leaves open. By default the statement is a transaction of its own. */
  readonly begin?: 'begin' | 'begin_repeatable_read' | undefined
}

export interface Asked<Row extends QueryResultRow> {
  /** Rejects with a ScopeError where the server did not confirm the scope. */
  readonly result: Promise<QueryResult<Row>>
  /** Returns whether the server has confirmed the scope. */
  isScoped(): boolean
  /** Returns whether the statement failed before it ran, because of the prepared statements of the connection. */
  isStale(error: unknown): boolean
}

/** Prepares a connection for `askScoped`, in one message. Rejects if any of the statements cannot be prepared. */
export function prepareScope(client: ClientBase): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new PrepareQuery({ text: '' }, undefined, (error) => (error === null ? resolve() : reject(error))))
  })
}

/**
 * Runs a statement as `groundwork_app` in a scope. Scope and statement are executions before a single Sync: one message
 * each way, and the server skips the statement if the scope fails.
 */
export function askScoped<Row extends QueryResultRow>(
  client: ClientBase,
  scope: Scope,
  statement: QueryConfig,
  options: ScopedOptions = {},
): Asked<Row> {
  let query: ScopedQuery | undefined
  const result = new Promise<QueryResult<Row>>((resolve, reject) => {
    query = new ScopedQuery(scope, statement, options, (error, answer) => {
      if (error === null) resolve(answer as QueryResult<Row>)
      else reject(error)
    })
    client.query(query)
  })
  return {
    result,
    isScoped: () => query?.isScoped ?? false,
    isStale: (error) => query?.isStale(error) ?? false,
  }
}

class PrepareQuery extends WireQuery {
  override requiresPreparation(): boolean {
    return true
  }

  override prepare(wire: Wire): void {
    for (const [name, text] of Object.entries(prepared)) wire.parse({ name, text })
    wire.sync()
    preparedOn.add(wire)
  }
}

class ScopedQuery extends WireQuery {
  readonly scope: Scope
  readonly options: ScopedOptions
  /** Executions ahead of the statement that are not complete yet. */
  #ahead: number
  /** Whether the server has answered that it set the role and the value. */
  #confirmed = false
  #reused = false
  #described: Described | undefined

  constructor(scope: Scope, statement: QueryConfig, options: ScopedOptions, callback: QueryCallback) {
    super(statement, undefined, callback)
    this.scope = scope
    this.options = options
    this.#ahead = options.begin === undefined ? 1 : 2
  }

  get isScoped(): boolean {
    return this.#confirmed && this.#ahead === 0
  }

  isStale(error: unknown): boolean {
    const { code } = error instanceof pg.DatabaseError ? error : {}
    return code === missingStatement || (code === changedTable && this.#reused)
  }

  /** Without it, `pg` would send an unnamed statement that has no parameters as simple Query, without its scope. */
  override requiresPreparation(): boolean {
    return true
  }

  override prepare(wire: Wire): void {
    const { begin, scopedBy = 'scope' } = this.options
    if (begin !== undefined) execute(wire, begin, [])
    execute(wire, scopedBy, [this.scope.setting, this.scope.value])
    this.#reused = this.hasBeenParsed(wire)
    this.#described = describedOn(wire)
    const columns = this.name === undefined ? undefined : this.#described.columns.get(this.name)
    if (columns === undefined) return super.prepare(wire)
    super.handleRowDescription({ fields: [] })
    const { _result: result } = this
    Object.assign(result, columns)
    super.prepare(this.#described.undescribing)
  }

  override handleRowDescription(message: { fields: readonly FieldDef[] }): void {
    super.handleRowDescription(message)
    const {
      _result: { fields, _parsers, _prebuiltEmptyResultObject },
    } = this
    if (this.name !== undefined) this.#described?.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }

  override handleDataRow(message: { fields: readonly (string | null)[] }): void {
    if (this.#ahead === 0) return super.handleDataRow(message)
    const [setRole, setValue] = message.fields
    this.#confirmed = setRole === role && setValue === this.scope.value
  }

  override handleCommandComplete(message: object, wire: Wire): void {
    if (this.#ahead > 0) this.#ahead -= 1
    else super.handleCommandComplete(message, wire)
  }

  override handleReadyForQuery(wire: Wire): void {
    if (this.isScoped) super.handleReadyForQuery(wire)
    else super.handleError(new ScopeError(), wire)
  }
}

function execute(wire: Wire, name: keyof typeof prepared, values: readonly string[]): void {
  const isPrepared = preparedOn.has(wire)
  if (!isPrepared) wire.parse({ name: '', text: prepared[name] })
  wire.bind({ statement: isPrepared ? name : '', values })
  wire.execute({})
}

/** SQLSTATE invalid_sql_statement_name: raised before anything runs. */
const missingStatement = '26000'
/** SQLSTATE feature_not_supported, which a cached plan is refused with when its table has other columns than before. */
const changedTable = '0A000'
