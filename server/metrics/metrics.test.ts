import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'
import { diskSpace, newestBackup } from './sources.ts'
import { localBackupPlace } from '../backup/backup-place.ts'

const page = await readFile(join(import.meta.dirname, '../../docs/operations/monitor.md'), 'utf8')
const depth = { queue: 'process-source', waiting: 1, active: 2, oldestWaitingSeconds: 3 }
let isDatabaseDown = false
const fromDatabase = async <T>(value: T): Promise<T> => {
  if (isDatabaseDown) throw new Error('the database cannot be reached')
  return value
}
const metrics = createMetrics({
  queues: () => fromDatabase([depth]),
  webhooks: () => fromDatabase({ pending: 4, oldestDueSeconds: 5, failing: 6, disabled: 7 }),
  connections: () => ({ inUse: 8, idle: 9, waiting: 10, max: 20 }),
  indexes: () => ({ bytes: 11, indexes: 12, maxBytes: 13 }),
  disk: () => diskSpace(import.meta.dirname),
  backups: newestBackup(localBackupPlace(join(import.meta.dirname, 'none')), 3_600_000, () => new Date()),
})

/** Returns the values by name and labels. */
async function read(): Promise<Map<string, number>> {
  const lines = (await metrics.read()).split('\n').filter((line) => line.startsWith('groundwork_'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1).replace('+Inf', 'Infinity'))]),
  )
}

describe('the metrics', () => {
  it('are those of the table in docs/operations/monitor.md, with their types and labels', async () => {
    const documented = [...page.matchAll(/^\| `(groundwork_\w+)` *\| (\w+) *\| ([^|]*)\|/gm)].map(([, name, type, labels = '']) => [
      name,
      type,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    ])
    expect(documented.toSorted()).toEqual(metrics.describe().toSorted())
  })

  it('have gauges of all sources', async () => {
    const values = await read()
    expect(Object.fromEntries(values)).toMatchObject({
      'groundwork_queue_waiting_jobs{queue="process-source"}': 1,
      'groundwork_queue_oldest_waiting_seconds{queue="process-source"}': 3,
      groundwork_webhook_pending_deliveries: 4,
      'groundwork_webhook_endpoints{state="disabled"}': 7,
      'groundwork_database_pool_connections{state="in_use"}': 8,
      groundwork_database_pool_waiting: 10,
      groundwork_search_index_memory_bytes: 11,
      groundwork_backup_age_seconds: Infinity,
      groundwork_backup_interval_seconds: 3600,
    })
    const free = values.get('groundwork_data_folder_free_bytes') ?? 0
    expect(free).toBeGreaterThan(0)
    expect(values.get('groundwork_data_folder_size_bytes')).toBeGreaterThan(free)
  })

  it('leave out the gauges of a source that cannot be read, and serve the others', async () => {
    const gauges = ['groundwork_queue_waiting_jobs{queue="process-source"}', 'groundwork_webhook_pending_deliveries']
    const up = ['queues', 'webhooks', 'connections'].map((source) => `groundwork_metrics_source_up{source="${source}"}`)
    const valuesOf = async (names: string[]) => {
      const values = await read()
      return names.map((name) => values.get(name))
    }
    isDatabaseDown = true
    expect([await valuesOf(gauges), await valuesOf(up)]).toEqual([
      [undefined, undefined],
      [0, 0, 1],
    ])
    isDatabaseDown = false
    expect([await valuesOf(gauges), await valuesOf(up)]).toEqual([
      [1, 4],
      [1, 1, 1],
    ])
  })

  it('count the parts that searches left out, and chunks with and without a vector of their own', async () => {
    metrics.search(0.02, ['vector', 'rerank'])
    metrics.search(0.01, ['vector'])
    metrics.embeddedChunks({ chunks: 96, reused: 6, seconds: 0.5 })
    expect(Object.fromEntries(await read())).toMatchObject({
      groundwork_search_duration_seconds_count: 2,
      'groundwork_search_left_out_total{part="vector"}': 2,
      'groundwork_search_left_out_total{part="rerank"}': 1,
      'groundwork_embedded_chunks_total{reused="false"}': 90,
      'groundwork_embedded_chunks_total{reused="true"}': 6,
    })
  })
})
