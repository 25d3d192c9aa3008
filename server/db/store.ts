import { join } from 'node:path'
import type { Logger } from 'pino'
import { publicErrorCode } from '../lib/loop-health.ts'
import { connectDatabase, type Database } from './database.ts'
import { connectToRunning, openEmbedded } from './embedded/embedded.ts'
import type { Log } from './embedded/engine.ts'
import type { OnHold } from './embedded/holds.ts'
import { warnOfLongHolds } from './embedded/long-holds.ts'
import { migrate } from './migrate.ts'
import type { Connection } from './pool.ts'
import { ownerQuery } from './owner-query.ts'
import { isBeingRestored } from './restore-marker.ts'

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
  /** Maximum number of connections to a server; 20 by default. */
  connections?: number
  log: Logger
}

/** Opens the store and brings its schema up to date. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = await connect(options)
  try {
    if (await isBeingRestored(ownerQuery(store.database.pool)))
      throw new Error('The restore of this database did not end. Run "groundwork restore" again with the same backup.')
    const applied = await migrate(store.database.pool)
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
  const { databaseUrl, log } = options
  const onError = (error: Error): void =>
    log.warn({ code: publicErrorCode(error), reason: error.message }, 'a database connection was lost')
  if (databaseUrl !== undefined) {
    const connection = { connectionString: databaseUrl }
    const database = connectDatabase(connection, { onError, connections: options.connections ?? 20 })
    return { kind: 'postgres', database, connection, probeWrite: probeWrite(database), close: () => database.close() }
  }
  const logLine: Log = (level, message, detail) => log[level](detail ?? {}, message)
  const engine = await openEmbedded({ dataDir: folderOf(options), log: logLine })
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

const folderOf = ({ dataDir }: { dataDir: string }): string => join(dataDir, 'db')

/** A transactional message touches no table, so frequent probes leave nothing to vacuum. */
const probeWrite = (database: Database) => async (): Promise<void> => {
  await database.pool.query(`select pg_logical_emit_message(true, 'groundwork', 'write probe')`)
}
