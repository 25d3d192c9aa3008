import {
  DummyDriver,
  Kysely,
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import pg, { type PoolClient, type PoolConfig } from 'pg'
import type { Duplex } from 'node:stream'
import { identityDialect } from './identity-dialect.ts'
import { postgres } from './postgres-dialect.ts'
import { prepareScope } from './scoped-query.ts'
import { selections } from './selections.ts'
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
  /** The rows of one statement in such a transaction; it costs little more than the statement. */
  select<Row>(organizationId: string, build: (db: Transaction) => Compilable<Row>, options?: SelectOptions): Promise<Row[]>
  /** The same for who presents a secret and so has no organization yet: sees what that secret opens and nothing else. */
  presenting<T>(secret: PresentedSecret, fn: (trx: Transaction) => Promise<T>): Promise<T>
  /** For the sign-in library alone: statements as `groundwork_identity`, which reaches the tables of people and nothing else. */
  readonly identity: Dialect
  close(): Promise<void>
}

export interface SelectOptions {
  /** For a statement that is asked so often that to plan it would be much of the work: it is planned once a connection, by indexes alone. */
  readonly plannedOnce?: boolean
}

/** What opens rows without an organization: each kind is read by the policies and functions of its own setting. */
export interface PresentedSecret {
  /** The hash of an API token, of the setup token or of an invitation's, the token of a session, or the id of a user who acts for himself. */
  readonly kind: 'token_hash' | 'setup_hash' | 'invitation_hash' | 'session_token' | 'user_id'
  readonly value: Buffer
}

/** How to reach the server: its address, or streams to the embedded engine. */
export type Connection = { connectionString: string } | { stream: () => Duplex }

export interface DatabaseOptions {
  /** Connections at most; 10 by default. */
  connections?: number
  onError?: (error: Error) => void
}

export function connectDatabase(connection: Connection, { connections = 10, onError }: DatabaseOptions = {}): Database {
  const settings: PoolConfig & { pipeline: true } = {
    ...connection,
    max: connections,
    types: { getTypeParser },
    application_name: 'groundwork',
    connectionTimeoutMillis: 30_000,
    idleTimeoutMillis: 60_000,
    // Statements are sent without waiting for the answer to the one before.
    pipeline: true,
  }
  const pool = new pg.Pool(settings)
  pool.on('error', (error) => onError?.(error))
  // A connection that fails at this fails at the statement behind it too, and that one is told.
  pool.on('connect', (client) => void prepareScope(client).catch(() => undefined))
  const builders = new WeakMap<PoolClient, Transaction>()
  const names = new Map<string, string>()
  // A named statement is parsed and planned once a connection; the bound keeps rare forms of a query from piling up there.
  const nameOf = (text: string): { name?: string } => {
    if (!names.has(text) && names.size < 200) names.set(text, `s${names.size}`)
    const name = names.get(text)
    return name === undefined ? {} : { name }
  }
  const builderOn = (client: PoolClient): Transaction => {
    const known = builders.get(client) ?? queryBuilder(client, nameOf)
    builders.set(client, known)
    return known
  }
  const select = selections(pool, { unusable: outdated })
  const compiler = new Kysely<Schema>({ dialect: postgres(new DummyDriver()) })
  return {
    pool,
    transaction: (organizationId, fn) => inTransaction(pool, builderOn, organizationSetting(organizationId), fn),
    async select<Row>(
      organizationId: string,
      build: (db: Transaction) => Compilable<Row>,
      { plannedOnce = false }: SelectOptions = {},
    ): Promise<Row[]> {
      requireUuid(organizationId)
      const { sql: text, parameters } = build(compiler).compile()
      const rows: unknown[] = await select(organizationId, { ...nameOf(text), text, values: [...parameters], plannedOnce })
      return rows as Row[]
    },
    presenting: ({ kind, value }, fn) => inTransaction(pool, builderOn, `app.${kind} = '${value.toString('hex')}'`, fn),
    identity: identityDialect(pool),
    close: () => pool.end(),
  }
}

function organizationSetting(organizationId: string): string {
  requireUuid(organizationId)
  return `app.organization_id = '${organizationId}'`
}

function requireUuid(organizationId: string): void {
  if (!/^[0-9a-f-]{36}$/.test(organizationId)) throw new Error('an organization id is a UUID')
}

/** Should a setting be refused, the transaction is open and broken already, and no later statement of it runs. */
const begin = (setting: string): string => `begin; set local role groundwork_app; set local ${setting}`

async function inTransaction<T>(
  pool: pg.Pool,
  builderOn: (client: PoolClient) => Transaction,
  setting: string,
  fn: (trx: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  const begun = client.query(begin(setting))
  // Its answer is awaited below, after that to the first statement.
  begun.catch(() => undefined)
  try {
    const result = await fn(builderOn(client))
    await begun
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // A connection that cannot roll back is not fit for another owner.
    await client.query('rollback').then(
      () => client.release(outdated(error)),
      () => client.release(true),
    )
    // What broke the transaction tells more than the statements that it then refused.
    await begun
    throw error
  }
}

/** A table has other columns since the connection planned a statement: a migration by a newer program. A new connection plans anew. */
const outdated = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '0A000'

/** Kysely on one connection that is ours; who may use it when is `inTransaction`'s business. */
function queryBuilder(client: PoolClient, nameOf: (text: string) => { name?: string }): Transaction {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql: text, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
      // What is written as SQL is written for a plan of its own parameters; a named statement may get a general one.
      const name = query.kind === 'RawNode' ? {} : nameOf(text)
      const { rows, rowCount } = await client.query<Row & pg.QueryResultRow>({ ...name, text, values: [...parameters] })
      return { rows, ...(rowCount !== null && { numAffectedRows: BigInt(rowCount) }) }
    },
    streamQuery: () => {
      throw new Error('rows are not streamed')
    },
  }
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: () => Promise.reject(new Error('a transaction is open already')),
    commitTransaction: () => Promise.reject(new Error('the transaction is committed by its owner')),
    rollbackTransaction: () => Promise.reject(new Error('the transaction is rolled back by its owner')),
    destroy: async () => undefined,
  }
  return new Kysely<Schema>({ dialect: postgres(driver) })
}

const { INT8, TIMESTAMPTZ } = pg.types.builtins
/** bigint as a number: every one of ours counts rows, bytes or generations and stays far below 2^53. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) => {
  if (oid === INT8 && format !== 'binary') return (text: string) => Number(text)
  if (oid === TIMESTAMPTZ && format !== 'binary') return (text: string) => new Date(text)
  return pg.types.getTypeParser(oid, format as 'text')
}
