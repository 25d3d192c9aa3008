import type { Pool } from 'pg'
import { endOfLog, positionOfReplica, replayedLog } from '../db/replica/log-position.ts'
import { openPool } from '../db/pool.ts'
import { formatByteSize } from '../lib/byte-size.ts'

/** A finding that cannot be repaired automatically. */
export interface ReplicaFinding {
  readonly check: 'replica'
  readonly organizationId: null
  readonly subject: 'DATABASE_REPLICA_URL'
  readonly detail: string
}

/** A replica this far behind answers no read. */
const maxLagBytes = 16n * 1024n * 1024n

/** Reports a replica that cannot be reached, is none of this database, or is far behind: the primary then answers its reads. */
export async function checkReplica(primary: Pool, replicaUrl: string): Promise<ReplicaFinding[]> {
  const replica = openPool({ connectionString: replicaUrl }, { connections: 1, onLost: () => undefined, hasSessions: false })
  try {
    const end = await endOfLog(primary)
    const { lsn } = positionOfReplica(await replayedLog(replica), end.system)
    const lag = end.lsn - lsn
    return lag > maxLagBytes ? [finding(`is ${formatByteSize(Number(lag))} of the log behind`)] : []
  } catch (error) {
    return [finding(error instanceof Error ? error.message : String(error))]
  } finally {
    await replica.end()
  }
}

const finding = (detail: string): ReplicaFinding => ({
  check: 'replica',
  organizationId: null,
  subject: 'DATABASE_REPLICA_URL',
  detail: `the replica does not serve: ${detail}`,
})
