import { Kysely, type Compilable, type DatabaseConnection, type Dialect } from 'kysely'
import type { Pool } from 'pg'
import { setOpenTransaction, type OpenTransaction } from './deferred.ts'
import { identityDialect } from './identity-dialect.ts'
import { openPool, type Connection } from './pool.ts'
import type { Schema, Transaction } from './schema.ts'
import type { Scope } from './scoped-query.ts'
import { selections } from './selections.ts'
import { builderConfig, driver, statementBuilder } from './statement-builder.ts'
import { statementNames, unnamed } from './statement-names.ts'
import { inTransaction, type TransactionOptions } from './transaction.ts'

/** The one store, whichever engine answers. */
export interface Database {
  /** Logs in as the schema's owner: for migrations, the queue and the command line. Modules never see it. */
  readonly pool: Pool
  /** The same role, on connections that have sessions of their own: for notifications and migrations. */
  readonly sessionPool: Pool
  /**
   * Runs `fn` in one transaction as `groundwork_app`, seeing the rows of `organizationId` alone; commits when it
   * returns, rolls back when it throws.
   */
  transaction<T>(organizationId: string, fn: (trx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** The rows of one statement in such a transaction; it costs little more than the statement. */
  select<Row>(organizationId: string, build: (db: Transaction) => Compilable<Row>, options?: SelectOptions): Promise<Row[]>
  /** Returns a database for the reads of one request, which a replica answers; null without a replica. Their functions may run twice. */
  readonly reads: (() => Database) | null
  /** Runs without an organization, for a caller that presents a secret: it reads only the rows of that secret. */
  presenting<T>(secret: PresentedSecret, fn: (trx: Transaction) => Promise<T>): Promise<T>
  /** For the sign-in library alone: statements as `groundwork_identity`, which reaches the tables of people and nothing else. */
  readonly identity: Dialect
  close(): Promise<void>
}

export interface SelectOptions {
  /** For a statement that is asked so often that to plan it would be much of the work: it is planned once a connection, by indexes alone. */
  readonly plannedOnce?: boolean
}

/** Kinds of secrets that open rows without an organization. Policies and functions read one setting for each kind. */
export interface PresentedSecret {
  /** The hash of an API token, setup token or invitation token, the token of a session, or the id of the user. */
  readonly kind: 'token_hash' | 'setup_hash' | 'invitation_hash' | 'session_token' | 'user_id'
  readonly value: Buffer
}

export interface DatabaseOptions {
  /** The server itself, where the connection leads to a pooler in transaction mode. */
  direct?: Connection | undefined
  /** Maximum number of connections; 10 by default. */
  connections?: number
  /** Time after which an idle connection is closed; 60 s by default, and never with 0. */
  idleTimeoutMs?: number
  /** Receives the error of each established connection that was lost. */
  onError?: (error: Error) => void
}

/** Maximum number of statements that a connection keeps prepared. */
const maxPrepared = 200
/** Maximum number of connections beside a pooler: one listens, and two migrate. */
const maxDirect = 3

export function connectDatabase(
  connection: Connection,
  { direct, connections = 10, idleTimeoutMs, onError }: DatabaseOptions = {},
): Database {
  const onLost = (error: Error): void => onError?.(error)
  const pool = openPool(connection, {
    connections,
    onLost,
    hasSessions: direct === undefined,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  })
  const sessionPool = direct === undefined ? pool : openPool(direct, { connections: maxDirect, onLost })
  const names = direct === undefined ? statementNames(maxPrepared) : unnamed
  const select = selections(pool, names)
  const run = <T>(scope: Scope, fn: (trx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> =>
    inTransaction({ pool, names }, scope, options, (opened) => fn(builderOn(opened)))
  return {
    pool,
    sessionPool,
    transaction: (organizationId, fn, options) => run(organization(organizationId), fn, options),
    async select<Row>(
      organizationId: string,
      build: (db: Transaction) => Compilable<Row>,
      { plannedOnce = false }: SelectOptions = {},
    ): Promise<Row[]> {
      const scope = organization(organizationId)
      const { sql: text, parameters } = build(statementBuilder).compile()
      const name = names.of(text)
      const statement = { text, values: [...parameters], ...(name !== undefined && { name }) }
      const rows: unknown[] = await select({ scope, statement, plannedOnce })
      return rows as Row[]
    },
    reads: null,
    presenting: ({ kind, value }, fn) => run({ setting: `app.${kind}`, value: value.toString('hex') }, fn),
    identity: identityDialect(pool),
    async close() {
      await pool.end()
      if (sessionPool !== pool) await sessionPool.end()
    },
  }
}

function organization(organizationId: string): Scope {
  if (!/^[0-9a-f-]{36}$/.test(organizationId)) throw new Error('an organization id is a UUID')
  return { setting: 'app.organization_id', value: organizationId }
}

/** Kysely on one connection. It shares the compiler's parts, which take longer to make than a statement to run. */
function builderOn(connection: DatabaseConnection & OpenTransaction): Transaction {
  const executor = statementBuilder.getExecutor().withConnectionProvider({ provideConnection: (use) => use(connection) })
  const trx = new Kysely<Schema>({ ...builderConfig, config: builderConfig, driver, executor })
  setOpenTransaction(trx, connection)
  return trx
}
