import pg from 'pg'
import type { Logger } from 'pino'
import { ConnectionError, ScopeError } from '../connection-error.ts'
import { connectDatabase, type Database } from '../database.ts'
import { openPool } from '../pool.ts'
import { replicaGate, type Admission, type Gate } from './gate.ts'

/** The server that answered a read of a list or report. */
export type ReadSource = 'replica' | 'primary'

export interface ReplicaOptions {
  readonly replicaUrl: string
  /** Maximum number of connections to the replica, beside one that watches it. */
  readonly connections: number
  readonly onError: (error: Error) => void
  readonly onRead: (source: ReadSource) => void
  readonly log: Pick<Logger, 'info' | 'warn'>
}

/**
 * Returns a database whose `reads` are answered by a streaming replica.
 *
 * A read sees every transaction that was committed before its request arrived, whichever process committed it. For that, the
 * request asks the primary for the end of its log, and the replica for the position up to which it has replayed the log. If the
 * replica does not get there in time, or fails, the primary answers.
 */
export function withReplica(primary: Database, options: ReplicaOptions): Database {
  const { replicaUrl, connections, onError, onRead } = options
  const replica = connectDatabase({ connectionString: replicaUrl }, { connections, onError, idleTimeoutMs: 0 })
  const watcher = openPool(
    { connectionString: replicaUrl },
    {
      connections: 1,
      onLost: onError,
      hasSessions: false,
      idleTimeoutMs: 0,
    },
  )
  const gate = replicaGate({ primary: primary.pool, replica: replica.pool, watcher }, options)
  return {
    ...primary,
    reads: () => requestReads({ primary, replica, gate, onRead }),
    async close() {
      await Promise.all([replica.close(), watcher.end()])
      await primary.close()
    },
  }
}

/** Returns a database for the reads of one request. Once the primary has answered one of them, it answers those that follow. */
function requestReads({
  primary,
  replica,
  gate,
  onRead,
}: {
  primary: Database
  replica: Database
  gate: Gate
  onRead: (source: ReadSource) => void
}): Database {
  let admission: Promise<Admission | null> | undefined

  const run = async <T>(read: (database: Database) => Promise<T>): Promise<T> => {
    const admitted = await (admission ??= gate.admit())
    if (admitted !== null) {
      const [outcome] = await Promise.allSettled([read(replica)])
      if (outcome.status === 'rejected' && isOfDatabase(outcome.reason)) gate.failed(outcome.reason)
      else if (admitted.isValid()) {
        onRead('replica')
        if (outcome.status === 'rejected') throw outcome.reason
        return outcome.value
      }
      admission = Promise.resolve(null)
    }
    onRead('primary')
    return read(primary)
  }
  return {
    ...primary,
    select: (organizationId, build, selectOptions) => run((database) => database.select(organizationId, build, selectOptions)),
    transaction: (organizationId, fn, transactionOptions) =>
      run((database) => database.transaction(organizationId, fn, transactionOptions)),
  }
}

/** Returns whether the replica could not answer. The primary's answer, also an error, is then the right one. */
const isOfDatabase = (error: unknown): boolean =>
  error instanceof pg.DatabaseError || error instanceof ConnectionError || error instanceof ScopeError
