import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { packageFile } from '../lib/entry.ts'
import { publicErrorCode } from '../lib/loop-health.ts'
import { connectDatabase, type Database } from './database.ts'
import { connectToRunning, openEmbedded } from './embedded/embedded.ts'
import type { Log } from './embedded/engine.ts'
import type { OnHold } from './embedded/holds.ts'
import { warnOfLongHolds } from './embedded/long-holds.ts'
import { migrate } from './migrate.ts'
import type { Connection } from './pool.ts'
import { ownerQuery } from './owner-query.ts'
import { withReplica, type ReadSource } from './replica/replica.ts'
import { isBeingRestored } from './restore-marker.ts'
import { assertSameDatabase, assertSessions } from './session-check.ts'

/** The database of a running program, and the engine beneath it where that is ours to run. */
export interface Store {
  readonly kind: 'postgres' | 'embedded'
  readonly database: Database
  /** How to open further connections, for statements in bulk. */
  readonly connection: Connection
  /** Commits a few bytes to the write-ahead log. Rejects where the database cannot be reached or written. */
  probeWrite(): Promise<void>
  /** Measures, from now on, how long each transaction holds the session of the embedded engine. Logs long holds. */
  observeHolds?(listener: OnHold): void
  close(): Promise<void>
}

export interface StoreOptions {
  dataDir: string
  /** A PostgreSQL with pgvector; the embedded engine without it. */
  databaseUrl: string | undefined
  /** The PostgreSQL server itself, if `databaseUrl` leads to a pooler in transaction mode. */
  directUrl?: string | undefined
  /** A streaming replica of the server, which answers lists and reports. */
  replicaUrl?: string | undefined
  /** Receives the source of each read of a list or report, if there is a replica. */
  onRead?: (source: ReadSource) => void
  /** Maximum number of connections to a server; 20 by default. */
  connections?: number
  log: Logger
}

/**
 * Opens the store and brings its schema up to date.
 * @throws Error that names the setting if DATABASE_URL leads to a pooler in transaction mode without a `directUrl`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = await connect(options)
  try {
    if (await isBeingRestored(ownerQuery(store.database.sessionPool)))
      throw new Error('The restore of this database did not end. Run "groundwork restore" again with the same backup.')
    const applied = await migrate(store.database.sessionPool)
    if (applied.length > 0) options.log.info({ applied }, 'database migrated')
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** For the command line: beside a running program the store is reached through it, else it is opened. */
export async function openSharedStore(options: StoreOptions): Promise<Store> {
  const running = options.databaseUrl === undefined ? await connectToRunning(folderOf(options)) : null
  if (running === null) return openStore(options)
  const connection = { stream: running }
  const database = connectDatabase(connection)
  return { kind: 'embedded', database, connection, probeWrite: probeWrite(database), close: () => database.close() }
}

/** For the command line: the database as it is, without migrations. It may be of another version; a running program is reached through it. */
export async function openUnmigrated(options: StoreOptions): Promise<Pick<Store, 'database' | 'close'>> {
  const running = options.databaseUrl === undefined ? await connectToRunning(folderOf(options)) : null
  if (running === null) return connect(options)
  const database = connectDatabase({ stream: running })
  return { database, close: () => database.close() }
}

async function connect(options: StoreOptions): Promise<Store> {
  const { databaseUrl, directUrl, replicaUrl, connections = 20, onRead = () => undefined, log } = options
  const onError = (error: Error): void =>
    log.warn({ code: publicErrorCode(error), reason: error.message }, 'a database connection was lost')
  if (databaseUrl !== undefined) {
    await assertPossible(databaseUrl, directUrl)
    const direct = directUrl === undefined ? undefined : { connectionString: directUrl }
    const primary = connectDatabase({ connectionString: databaseUrl }, { direct, onError, connections })
    const database = replicaUrl === undefined ? primary : withReplica(primary, { replicaUrl, connections, onError, onRead, log })
    const connection = { connectionString: directUrl ?? databaseUrl }
    return { kind: 'postgres', database, connection, probeWrite: probeWrite(database), close: () => database.close() }
  }
  const logLine: Log = (level, message, detail) => log[level](detail ?? {}, message)
  const newDatabase = existsSync(packagedDatabase) ? packagedDatabase : undefined
  const engine = await openEmbedded({ dataDir: folderOf(options), newDatabase, log: logLine })
  const connection = { stream: () => engine.stream() }
  const database = connectDatabase(connection, { onError })
  return {
    kind: 'embedded',
    database,
    connection,
    probeWrite: probeWrite(database),
    observeHolds(listener) {
      const warn = warnOfLongHolds(logLine)
      engine.observeHolds((hold) => {
        listener(hold)
        warn(hold)
      })
    },
    async close() {
      await database.close()
      await engine.close()
    },
  }
}

async function assertPossible(databaseUrl: string, directUrl: string | undefined): Promise<void> {
  if (directUrl === undefined) return assertSessions('DATABASE_URL', databaseUrl)
  await assertSessions('DATABASE_DIRECT_URL', directUrl)
  await assertSameDatabase(databaseUrl, directUrl)
}

/** The files of an empty migrated database, which `npm run package` adds: making and migrating one takes half of a first start. */
const packagedDatabase = packageFile('new-database.zip')

const folderOf = ({ dataDir }: { dataDir: string }): string => join(dataDir, 'db')

/** A transactional message touches no table, so frequent probes leave nothing to vacuum. */
const probeWrite = (database: Database) => async (): Promise<void> => {
  await database.pool.query(`select pg_logical_emit_message(true, 'groundwork', 'write probe')`)
}
