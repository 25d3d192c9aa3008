import type { Duplex } from 'node:stream'
import pg from 'pg'
import { firstCheckpointBytes, nextCheckpointBytes } from './checkpoint-size.ts'
import type { Log } from './engine.ts'
import type { Activity } from './gateway.ts'

/** The engine has no background processes: this module does their work, in idle moments of the session. */
export interface MaintenanceOptions {
  /** How often to look; 1 s. */
  intervalMs?: number
  /**
   * Upper limit of the growth of the write-ahead log between two checkpoints; 16 MB. The growth in use adapts to the duration
   * of checkpoints (checkpoint-size.ts). A checkpoint waits for an idle moment until the log has grown four times as much.
   */
  walBytes?: number
  /** A checkpoint is due when this old and anything was written; 5 minutes. */
  checkpointMs?: number
  /** How often to look for tables to vacuum; 30 s. */
  vacuumMs?: number
  /** How long nobody may have spoken before a table is vacuumed; 250 ms. */
  idleMs?: number
  /**
   * Tables are analyzed, and vacuumed if they have many dead rows, although the session is busy, after this time; 1 minute.
   * Without statistics the planner reads whole tables, and dead rows slow down every scan.
   */
  overdueMs?: number
  /** Returns whether another process copies the files and needs the write-ahead log since the last checkpoint. */
  checkpointsHeld?: () => Promise<boolean>
}

const DEFAULTS = {
  intervalMs: 1000,
  walBytes: 16 * 2 ** 20,
  checkpointMs: 300_000,
  vacuumMs: 30_000,
  idleMs: 250,
  overdueMs: 60_000,
  checkpointsHeld: async () => false,
}
/** One table may take long, above all one with a vector index. */
const TIMEOUT = '15min'

/** Growth of the write-ahead log after which a checkpoint is written even though it is held: the disk must not fill up. */
const maxHeldBytes = 4 * 2 ** 30

const LOG_SIZE = 'SELECT pg_current_wal_insert_lsn() - redo_lsn AS bytes FROM pg_control_checkpoint()'
/** Autovacuum's own thresholds. Statistics of this session stay with it until they are asked for. */
const CANDIDATES = `
  SELECT format('%I.%I', s.schemaname, s.relname) AS name,
    s.n_dead_tup > 50 + 0.2 * c.reltuples OR s.n_ins_since_vacuum > 1000 + 0.2 * c.reltuples OR age(c.relfrozenxid) > 200000000 AS vacuum,
    age(c.relfrozenxid) > 200000000 AS freeze,
    s.n_dead_tup > 50 + CASE WHEN pg_total_relation_size(c.oid) < ${16 * 2 ** 20} THEN 0.2 ELSE 1 END * c.reltuples AS urgent,
    c.relkind <> 't' AS has_statistics
  FROM pg_stat_all_tables s JOIN pg_class c ON c.oid = s.relid
  WHERE c.relkind IN ('r', 'm', 't') AND c.relpersistence = 'p'
    AND (s.n_dead_tup > 50 + 0.2 * c.reltuples OR s.n_ins_since_vacuum > 1000 + 0.2 * c.reltuples
      OR (s.n_mod_since_analyze > 50 + 0.1 * c.reltuples AND c.relkind <> 't') OR age(c.relfrozenxid) > 200000000)
  ORDER BY age(c.relfrozenxid) > 200000000 DESC, s.n_dead_tup + s.n_mod_since_analyze DESC LIMIT 50`

interface Candidate {
  readonly name: string
  readonly vacuum: boolean
  readonly freeze: boolean
  /** Whether dead rows slow down a busy session more than their removal: a large table is vacuumed when it has doubled. */
  readonly urgent: boolean
  readonly has_statistics: boolean
}

/** A sample of 3,000 rows instead of 30,000, for a busy session. */
const busyStatisticsTarget = 10

/** Returns the statements that maintain a table. Others wait for each of them, so a busy session gets shorter ones. */
function statementsFor({ name, vacuum, freeze, urgent, has_statistics }: Candidate, idle: boolean): string[] {
  if (!idle) return [...(urgent ? [`VACUUM ${name}`] : []), ...(has_statistics ? [`ANALYZE ${name}`] : [])]
  return [freeze ? `VACUUM (FREEZE, ANALYZE) ${name}` : vacuum ? `VACUUM (ANALYZE) ${name}` : `ANALYZE ${name}`]
}

export function startMaintenance(
  stream: () => Duplex,
  activity: () => Activity,
  log: Log,
  options: MaintenanceOptions = {},
): { stop(): Promise<void> } {
  const settings = { ...DEFAULTS, ...options }
  let stopped = false
  let running: Promise<void> = Promise.resolve()
  let busy = false
  let client: pg.Client | null = null
  let checkedWal = 0
  let dueBytes = firstCheckpointBytes(settings.walBytes)
  let checkpointAt = performance.now()
  let vacuumAt = performance.now()

  const run = async <Row = unknown>(sql: string): Promise<Row[]> => {
    client ??= await open(stream, () => (client = null))
    return (await client.query<Row & object>(sql)).rows
  }
  const isIdle = (): boolean => !stopped && !activity().inTransaction && activity().waiting === 0

  /** Pages written are more than the log has grown, so as long as they are few there is no need to ask. */
  const checkpointIfDue = async (): Promise<void> => {
    const { walBytes, inTransaction } = activity()
    const old = performance.now() - checkpointAt > settings.checkpointMs
    if (inTransaction || walBytes === checkedWal || (!old && walBytes - checkedWal < dueBytes)) return
    const grown = Number((await run<{ bytes: string }>(LOG_SIZE))[0]?.bytes)
    const due = grown >= dueBytes || (old && grown > 0)
    if (due && !isIdle() && grown < 4 * dueBytes) return
    if (due && grown < maxHeldBytes && (await settings.checkpointsHeld())) return
    if (due) {
      const began = performance.now()
      await run('CHECKPOINT')
      checkpointAt = performance.now()
      dueBytes = nextCheckpointBytes(dueBytes, checkpointAt - began, settings.walBytes)
    }
    // Growth that is not due yet counts towards the next checkpoint.
    checkedWal = due || old ? activity().walBytes : activity().walBytes - Math.min(grown, dueBytes)
  }

  const vacuumIfDue = async (): Promise<void> => {
    const sinceMs = performance.now() - vacuumAt
    const idle = activity().idleMs >= settings.idleMs && isIdle()
    if (sinceMs < (idle ? settings.vacuumMs : settings.overdueMs)) return
    vacuumAt = performance.now()
    await run('SELECT pg_stat_force_next_flush()')
    const candidates = await run<Candidate>(CANDIDATES)
    await run(idle ? 'RESET default_statistics_target' : `SET default_statistics_target = ${busyStatisticsTarget}`)
    for (const candidate of candidates) {
      if (stopped || (idle && !isIdle())) return
      const began = performance.now()
      const statements = statementsFor(candidate, idle)
      if (statements.length === 0) continue
      for (const statement of statements) await run(statement)
      log('info', 'database maintenance', { statements, idle, ms: Math.round(performance.now() - began) })
    }
  }

  const look = async (): Promise<void> => {
    try {
      await checkpointIfDue()
      await vacuumIfDue()
    } catch (error) {
      // Another's transaction or a restart came in between; the next round looks again.
      log('info', 'database maintenance was put off', { reason: String(error) })
    } finally {
      busy = false
    }
  }
  const timer = setInterval(() => {
    if (busy || stopped) return
    busy = true
    running = look()
  }, settings.intervalMs).unref()

  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
      await client?.end()
    },
  }
}

/** The connection of the maintenance. It has its own class so that tests can tell its statements from those of the program. */
export class MaintenanceClient extends pg.Client {}

async function open(stream: () => Duplex, onEnd: () => void): Promise<pg.Client> {
  const client = new MaintenanceClient({ stream, options: `-c statement_timeout=${TIMEOUT}`, user: 'postgres', database: 'postgres' })
  client.on('error', onEnd)
  client.on('end', onEnd)
  await client.connect()
  return client
}
