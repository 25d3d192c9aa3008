import type { DiskSpace } from '../lib/disk-space.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { QueueDepth } from '../jobs/jobs.ts'
import type { WebhookBacklog } from '../webhooks/backlog.ts'

export interface PoolUse {
  readonly inUse: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  readonly max: number
}

export interface IndexMemory {
  readonly bytes: number
  readonly indexes: number
  readonly maxBytes: number
}

export interface NewestBackup {
  /** Null if there is none. */
  readonly ageSeconds: number | null
  /** BACKUP_EVERY. */
  readonly everySeconds: number
}

/** Values that are read when the metrics are requested. A program without a source has no gauges of it. */
export interface MetricSources {
  /** The depth of every queue in the database, so it is the same in all processes. */
  readonly queues?: () => Promise<QueueDepth[]>
  readonly webhooks?: () => Promise<WebhookBacklog>
  readonly connections?: () => PoolUse
  readonly indexes?: () => IndexMemory
  readonly disk?: () => Promise<DiskSpace>
  readonly backups?: () => Promise<NewestBackup>
}

/** Shorter than Prometheus' default timeout of 10 seconds. */
const sourceTimeoutMs = 5000

type NewGauge = <Label extends string = never>(name: string, help: string, labelNames?: Label[]) => Gauge<Label>

/**
 * Adds the gauges to the registry. `update` reads all sources at once. If a source cannot be read, its gauges are left out, because
 * old values would look like current ones, and its `groundwork_metrics_source_up` is 0.
 */
export function createGauges(registry: Registry, sources: MetricSources): { update(): Promise<void> } {
  const registers = [registry]
  const up = new Gauge({
    name: 'groundwork_metrics_source_up',
    help: 'Whether a source of gauges could be read: 1, or 0 if its gauges are missing',
    labelNames: ['source'],
    registers,
  })
  const updates: (() => Promise<void>)[] = []

  function add<T>(source: string, read: (() => T | Promise<T>) | undefined, define: (gauge: NewGauge) => (value: T) => void): void {
    if (read === undefined) return
    const leaveOut: (() => void)[] = []
    const show = define((name, help, labelNames = []) => {
      const gauge = new Gauge({ name, help, labelNames, registers })
      // `reset` would set a gauge without labels to 0.
      leaveOut.push(() => (labelNames.length === 0 ? gauge.remove() : gauge.reset()))
      return gauge
    })
    updates.push(async () => {
      try {
        show(await inTime(read))
        up.set({ source }, 1)
      } catch {
        // Prometheus shows the failure, and the log has an entry from readiness or from the part that uses the source.
        up.set({ source }, 0)
        for (const remove of leaveOut) remove()
      }
    })
  }

  // First: the statements of the other sources would count as waiting.
  add('connections', sources.connections, (gauge) => {
    const connections = gauge('groundwork_database_pool_connections', 'Connections to the database: in use, idle', ['state'])
    const waiting = gauge('groundwork_database_pool_waiting', 'Statements and transactions that wait for a connection')
    const max = gauge('groundwork_database_pool_max_connections', 'Maximum number of connections of the pool')
    return (pool) => {
      connections.set({ state: 'in_use' }, pool.inUse)
      connections.set({ state: 'idle' }, pool.idle)
      waiting.set(pool.waiting)
      max.set(pool.max)
    }
  })
  add('queues', sources.queues, (gauge) => {
    const waiting = gauge('groundwork_queue_waiting_jobs', 'Jobs that are due and not started', ['queue'])
    const active = gauge('groundwork_queue_active_jobs', 'Jobs in progress', ['queue'])
    const oldest = gauge('groundwork_queue_oldest_waiting_seconds', 'Time since the oldest waiting job was due; 0 if none is waiting', [
      'queue',
    ])
    return (depths) => {
      for (const { queue, ...depth } of depths) {
        waiting.set({ queue }, depth.waiting)
        active.set({ queue }, depth.active)
        oldest.set({ queue }, depth.oldestWaitingSeconds)
      }
    }
  })
  add('webhooks', sources.webhooks, (gauge) => {
    const pending = gauge('groundwork_webhook_pending_deliveries', 'Webhook deliveries that are due or wait for their next attempt')
    const oldestDue = gauge('groundwork_webhook_oldest_due_seconds', 'Time since the oldest due delivery was due; 0 if none is due')
    const endpoints = gauge(
      'groundwork_webhook_endpoints',
      'Endpoints whose last attempts failed (failing), and endpoints that were disabled because of it (disabled)',
      ['state'],
    )
    return (backlog) => {
      pending.set(backlog.pending)
      oldestDue.set(backlog.oldestDueSeconds)
      endpoints.set({ state: 'failing' }, backlog.failing)
      endpoints.set({ state: 'disabled' }, backlog.disabled)
    }
  })
  add('indexes', sources.indexes, (gauge) => {
    const bytes = gauge('groundwork_search_index_memory_bytes', 'Memory of the search indexes')
    const maxBytes = gauge('groundwork_search_index_memory_max_bytes', 'Maximum memory of the search indexes, SEARCH_MEMORY_MB')
    const count = gauge('groundwork_search_indexes', 'Search indexes in memory')
    return (memory) => {
      bytes.set(memory.bytes)
      maxBytes.set(memory.maxBytes)
      count.set(memory.indexes)
    }
  })
  add('disk', sources.disk, (gauge) => {
    const free = gauge('groundwork_data_folder_free_bytes', 'Free space of the file system of DATA_DIR')
    const size = gauge('groundwork_data_folder_size_bytes', 'Size of the file system of DATA_DIR')
    return (space) => {
      free.set(space.freeBytes)
      size.set(space.sizeBytes)
    }
  })
  add('backups', sources.backups, (gauge) => {
    const age = gauge('groundwork_backup_age_seconds', 'Age of the newest complete backup in BACKUP_TO; +Inf without one')
    const every = gauge('groundwork_backup_interval_seconds', 'Interval of backups, BACKUP_EVERY')
    return ({ ageSeconds, everySeconds }) => {
      age.set(ageSeconds ?? Number.POSITIVE_INFINITY)
      every.set(everySeconds)
    }
  })
  return {
    async update() {
      await Promise.all(updates.map((update) => update()))
    },
  }
}

/** Rejects if the source takes too long, for example while it waits for a connection. */
async function inTime<T>(read: () => T | Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = sleep(sourceTimeoutMs, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error('the source of the metrics took too long')
  })
  try {
    return await Promise.race([(async () => read())(), late])
  } finally {
    late.catch(() => undefined)
    done.abort()
  }
}
