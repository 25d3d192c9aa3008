import type { Pool } from 'pg'

/** A position in the write-ahead log of a cluster. */
export interface Position {
  /** The identifier of the cluster, which a replica has from its primary. */
  readonly system: string
  readonly lsn: bigint
}

interface PositionRow {
  readonly system: string
  readonly lsn: string | null
}

/** Transactions that were answered are in the log up to this position. Without synchronous commits, they may not be flushed yet. */
const endQuery = `
  select system_identifier::text as system,
    (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end)::text as lsn
  from pg_control_system()`

const replayedQuery = `
  select system_identifier::text as system, case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as lsn
  from pg_control_system()`

/** Returns the end of the primary's log: every transaction that was committed so far is before it. */
export async function endOfLog(primary: Pick<Pool, 'query'>): Promise<Position> {
  const { rows } = await primary.query<PositionRow>(endQuery)
  const position = positionOf(rows[0])
  if (position.lsn === null) throw new Error('the primary has no position in its log')
  return { ...position, lsn: position.lsn }
}

/** Returns the position up to which a replica has replayed the log; null on a server that is no replica. */
export async function replayedLog(replica: Pick<Pool, 'query'>): Promise<{ system: string; lsn: bigint | null }> {
  const { rows } = await replica.query<PositionRow>(replayedQuery)
  return positionOf(rows[0])
}

/** @throws Error if the position is not that of a replica of the cluster */
export function positionOfReplica({ system, lsn }: { system: string; lsn: bigint | null }, ofCluster: string): Position {
  if (system !== ofCluster) throw new Error('DATABASE_REPLICA_URL leads to a server that is no replica of DATABASE_URL')
  if (lsn === null) throw new Error('DATABASE_REPLICA_URL leads to a server that is no replica, or no longer')
  return { system, lsn }
}

/** Converts a position such as `16/B374D848` to the number of its byte. */
function positionOf(row: PositionRow | undefined): { system: string; lsn: bigint | null } {
  const { system = '', lsn = null } = row ?? {}
  if (lsn === null) return { system, lsn }
  const [high, low] = lsn.split('/')
  return { system, lsn: (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`) }
}
