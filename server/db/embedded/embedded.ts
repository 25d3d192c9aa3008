import { chmod } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { areCheckpointsHeld } from './checkpoint-hold.ts'
import { prepareCluster } from './cluster.ts'
import { startEngine, type Log } from './engine.ts'
import { Gateway } from './gateway.ts'
import type { OnHold } from './holds.ts'
import { lockedBy, lockFolder } from './lock.ts'
import { startMaintenance, type MaintenanceOptions } from './maintenance.ts'
import { connectSocket, serveSocket } from './socket.ts'

export { EmbeddedLockedError } from './lock.ts'

export interface EmbeddedOptions {
  /** Folder of the database, made if it is missing and closed to other users. */
  dataDir: string
  /** Zip file with the files of a new database, for a folder without one. A new database is empty without it. */
  newDatabase?: string | undefined
  /** Longest run of one statement; 2 minutes. `statement_timeout`, set as on a server, goes before it; 0 is no limit. */
  statementTimeoutMs?: number
  /** Longest wait behind another connection's open transaction; 10 s. */
  waitMs?: number
  /** How long a transaction may stay open without a statement; 1 minute. */
  idleTransactionMs?: number
  /** Settings of the server, as in postgresql.conf; those that durability rests on cannot be changed. */
  parameters?: Record<string, string>
  maintenance?: MaintenanceOptions
  log?: Log
}

export interface EmbeddedDatabase {
  /** For `new pg.Pool({ stream: () => database.stream() })`. Every connection is the superuser `postgres`. */
  stream(): Duplex
  /** Flushes to the device and bytes of write-ahead log since the start. */
  counters(): { syncs: number; walBytes: number }
  /** Calls `listener` at the end of each transaction, or statement outside of one, with the time in which others waited for it. */
  observeHolds(listener: OnHold): void
  /** Lets sent statements end (5 s), writes a checkpoint and gives the folder free. End the pools first. */
  close(): Promise<void>
}

/**
 * Opens the embedded PostgreSQL 18 with pgvector and pg_trgm. All connections share one session, which the gateway keeps
 * apart: prepared statements, LISTEN and `SET` belong to the connection that made them. Shared are temporary tables and
 * statements prepared by SQL's PREPARE; refused with 0A000 are session-level advisory locks, DISCARD and DEALLOCATE ALL. COPY
 * over the connection holds all of its data in memory. A transaction keeps all other connections waiting, so it must not wait for anything but
 * the database.
 *
 * Errors of its own: 57014 a statement ran too long (the engine was ended and opened again, which takes about a second),
 * 55P03 another's transaction did not end in time, 25P03 a transaction was left open, 57P02 the engine crashed and was
 * opened again, 57P01 it is closing.
 * @throws EmbeddedLockedError if another process has the folder
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const dataDir = resolve(options.dataDir)
  const log: Log = options.log ?? (() => undefined)
  const gateway = new Gateway({
    start: (onLost) => startEngine({ dataDir, log, parameters: options.parameters ?? {} }, onLost),
    statementTimeoutMs: options.statementTimeoutMs ?? 120_000,
    waitMs: options.waitMs ?? 10_000,
    idleTransactionMs: options.idleTransactionMs ?? 60_000,
    log,
  })
  const lock = await lockFolder(dataDir, () => {
    log('error', 'another process took the database folder; the database is closed', { dataDir })
    void gateway.abort('another process took the database folder')
  })
  try {
    await chmod(dataDir, 0o700)
    await prepareCluster(dataDir, options.newDatabase)
    await gateway.open()
    const socket = await serveSocket(dataDir, () => gateway.connect())
    const maintenance = startMaintenance(
      () => gateway.connect(),
      () => gateway.activity,
      log,
      { checkpointsHeld: () => areCheckpointsHeld(dataDir), ...options.maintenance },
    )
    return {
      stream: () => gateway.connect(),
      counters: () => ({ syncs: gateway.activity.syncs, walBytes: gateway.activity.walBytes }),
      observeHolds: (listener) => gateway.observeHolds(listener),
      async close() {
        await maintenance.stop()
        await gateway.close()
        await socket.close()
        await lock.release()
      },
    }
  } catch (error) {
    await gateway.close()
    await lock.release()
    throw error
  }
}

const STARTING_MS = 15_000

/**
 * A way for another process of the same user on this machine, such as the command line, into a running program's database.
 * Waits for a program that is just starting.
 * @returns null when no program has the folder
 */
export async function connectToRunning(dataDir: string): Promise<(() => Duplex) | null> {
  const folder = resolve(dataDir)
  for (let waited = 0; ; waited += 100) {
    const stream = await connectSocket(folder)
    if (stream !== null || waited >= STARTING_MS || (await lockedBy(folder)) === null) return stream
    await delay(100)
  }
}
