import pg, { type ClientBase, type FieldDef, type QueryConfig, type QueryResultRow } from 'pg'

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

const scopeText = `select set_config('role', 'groundwork_app', true), set_config('app.organization_id', $1, true)`

/** Says who asks, until the end of the transaction. */
const scope = { name: 'scope', text: scopeText }
const scopePlannedOnce = { name: 'scope_planned_once', text: `${scopeText}, ${plannedOnceSettings}` }

export interface ScopedStatement extends QueryConfig {
  /** By default the server plans a statement anew where that may pay. */
  readonly plannedOnce: boolean
}

/** Makes a connection ready for `selectScoped`; what is asked on it later comes behind. */
export async function prepareScope(connection: ClientBase): Promise<void> {
  await Promise.all([scope, scopePlannedOnce].map((each) => connection.query({ ...each, values: [''] })))
}

/**
 * The rows of one statement as `groundwork_app`, of one organization. Scope and statement are two executions before a
 * single Sync, which the server takes for one transaction: one message each way, without BEGIN and COMMIT.
 */
export function selectScoped(client: ClientBase, organizationId: string, statement: ScopedStatement): Promise<QueryResultRow[]> {
  return new Promise((resolve, reject) => {
    client.query(
      new ScopedQuery(organizationId, statement, (error, result) => {
        if (error === null) resolve(result.rows)
        else reject(error)
      }),
    )
  })
}

/** What `pg`'s connection is beyond its types. */
interface Wire {
  bind(portal: { statement: string; values: readonly string[] }): void
  describe(what: object): void
  execute(portal: object): void
}

/** What `pg`'s query is beyond its types: it writes its own messages and is told of the answers. */
interface WireQuery extends pg.Submittable {
  readonly name: string | undefined
  prepare(connection: Wire): void
  handleRowDescription(message: { fields: readonly FieldDef[] }): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, connection: Wire): void
}

type Callback = (error: Error | null, result: { rows: QueryResultRow[] }) => void

const WireQuery = pg.Query as unknown as new (statement: QueryConfig, values: undefined, callback: Callback) => WireQuery

class ScopedQuery extends WireQuery {
  readonly #organizationId: string
  readonly #scope: string
  #scoped = false
  #described: Described | undefined

  constructor(organizationId: string, { plannedOnce, ...statement }: ScopedStatement, callback: Callback) {
    super(statement, undefined, callback)
    this.#organizationId = organizationId
    this.#scope = (plannedOnce ? scopePlannedOnce : scope).name
  }

  override prepare(connection: Wire): void {
    connection.bind({ statement: this.#scope, values: [this.#organizationId] })
    connection.execute({})
    this.#described = describedOn(connection)
    const fields = this.name === undefined ? undefined : this.#described.fields.get(this.name)
    if (fields === undefined) return super.prepare(connection)
    super.handleRowDescription({ fields })
    super.prepare(this.#described.undescribing)
  }

  override handleRowDescription(message: { fields: readonly FieldDef[] }): void {
    if (this.name !== undefined) this.#described?.fields.set(this.name, message.fields)
    super.handleRowDescription(message)
  }

  override handleDataRow(message: object): void {
    if (this.#scoped) super.handleDataRow(message)
  }

  override handleCommandComplete(message: object, connection: Wire): void {
    if (this.#scoped) super.handleCommandComplete(message, connection)
    this.#scoped = true
  }
}

/**
 * The columns of the statements that a connection has prepared. They need not be asked for again: should a migration
 * change them, the server refuses the statement (0A000) rather than answer with others.
 */
interface Described {
  readonly fields: Map<string, readonly FieldDef[]>
  /** The same connection, which does not ask for the columns. */
  readonly undescribing: Wire
}

const described = new WeakMap<Wire, Described>()

function describedOn(connection: Wire): Described {
  const known = described.get(connection) ?? {
    fields: new Map<string, readonly FieldDef[]>(),
    undescribing: Object.create(connection, { describe: { value: () => undefined } }) as Wire,
  }
  described.set(connection, known)
  return known
}
