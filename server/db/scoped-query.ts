import pg, { type ClientBase, type FieldDef, type QueryConfig, type QueryResultRow } from 'pg'

/** Says who asks and how it is planned, until the end of the transaction. */
const scope = {
  name: 'scope',
  text: `select set_config('role', 'groundwork_app', true), set_config('app.organization_id', $1, true), set_config('plan_cache_mode', $2, true)`,
}

export interface ScopedStatement extends QueryConfig {
  /** Planned once a connection, whatever the parameters. By default the server plans a statement anew where that may pay. */
  readonly plannedOnce: boolean
}

/** How the server is to plan a statement. */
export const planCacheMode = (plannedOnce: boolean): string => (plannedOnce ? 'force_generic_plan' : 'auto')

/** Makes a connection ready for `selectScoped`; what is asked on it later comes behind. */
export async function prepareScope(connection: ClientBase): Promise<void> {
  await connection.query({ ...scope, values: ['', planCacheMode(false)] })
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
  readonly #scope: readonly string[]
  #scoped = false
  #described: Described | undefined

  constructor(organizationId: string, { plannedOnce, ...statement }: ScopedStatement, callback: Callback) {
    super(statement, undefined, callback)
    this.#scope = [organizationId, planCacheMode(plannedOnce)]
  }

  override prepare(connection: Wire): void {
    connection.bind({ statement: scope.name, values: this.#scope })
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
