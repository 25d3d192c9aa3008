import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from './metrics.ts'
import { diskSpace } from '../lib/disk-space.ts'
import { newestBackup } from './sources.ts'
import { localBackupPlace } from '../backup/backup-place.ts'

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/operations/monitor.md'), 'utf8')
const folder = join(root, 'deploy/prometheus')
const rules: Rule[] = parse(await readFile(join(folder, 'alerts.yaml'), 'utf8')).groups.flatMap((group: { rules: Rule[] }) => group.rules)
const dashboard = await readFile(join(root, 'deploy/grafana/groundwork.json'), 'utf8')
interface Rule {
  readonly alert: string
  readonly expr: string
}

const depth = { queue: 'process-source', waiting: 1, active: 2, oldestWaitingSeconds: 3 }
let isDatabaseDown = false
let waiting = 10
const fromDatabase = async <T>(value: T): Promise<T> => {
  waiting += 1
  await Promise.resolve()
  waiting -= 1
  if (isDatabaseDown) throw new Error('the database cannot be reached')
  return value
}
const metrics = createMetrics({
  queues: () => fromDatabase([depth]),
  webhooks: () => fromDatabase({ pending: 4, oldestDueSeconds: 5, failing: 6, disabled: 7 }),
  connections: () => ({ inUse: 8, idle: 9, waiting, max: 20 }),
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

  it('are the only ones that the pages about operation name', async () => {
    const pages = ['monitor', 'scale', 'troubleshoot'].map((name) => readFile(join(root, `docs/operations/${name}.md`), 'utf8'))
    const named = (await Promise.all(pages)).flatMap((text) => [...text.matchAll(/\bgroundwork_[a-z_]+[a-z]\b/g)].map(([name]) => name))
    const existing = metrics.describe().map(([name]) => name)
    expect(named.length).toBeGreaterThan(existing.length)
    // Beginnings of names in a pattern of grep.
    const known = ['groundwork_search_index_memory', 'groundwork_database_pool', ...existing]
    expect(named.map((name) => name.replace(/_(?:bucket|sum|count)$/, '')).filter((name) => !known.includes(name))).toEqual([])
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

/** Returns the metrics of an expression of PromQL, with the labels that it selects or groups by. */
function metricsOf(expression: string): { names: string[]; labels: string[] } {
  const groups = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */))
  const matchers = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) => [...list.matchAll(/(\w+) *(?:=~?|!=|!~)/g)])
  const words = expression
    .replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) \([^)]*\)|\boffset \w+/g, ' ')
    .matchAll(/[A-Za-z_]\w*\b(?! *\()/g)
  const names = [...words].map(([word]) => word).filter((word) => !['and', 'or', 'unless', 'by', 'on', 'sum', 'max'].includes(word))
  return { names, labels: [...groups, ...matchers.map(([, label = '']) => label)] }
}

describe('the dashboard and the alerts', async () => {
  const text = await metrics.read()
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
  // Prometheus adds `up`.
  const served = ['up', ...types].flatMap((each) => {
    if (typeof each === 'string') return [each]
    const [name, type] = each
    return type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name]
  })
  const labels = ['job', 'instance', 'le', ...metrics.describe().flatMap(([, , own]) => own)]
  const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, json = '']) => JSON.parse(json) as string)

  it('name only metrics and labels that exist', () => {
    expect(expressions.length).toBeGreaterThan(20)
    for (const expression of [...expressions, ...rules.map(({ expr }) => expr)]) {
      const named = metricsOf(expression)
      expect(named.names, expression).not.toEqual([])
      expect([
        expression,
        named.names.filter((name) => !served.includes(name)),
        named.labels.filter((label) => !labels.includes(label)),
      ]).toEqual([expression, [], []])
    }
  })

  it('show every metric of Groundwork', () => {
    const shown = expressions.flatMap((expression) => metricsOf(expression).names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))
    expect(metrics.describe().filter(([name]) => !shown.includes(name))).toEqual([])
  })

  it('have a row in the table of alerts of docs/operations/monitor.md', () => {
    const documented = [...page.matchAll(/^\| `(Groundwork\w+)`/gm)].map(([, name]) => name)
    expect(documented).toEqual(rules.map(({ alert }) => alert))
  })

  const promtool = spawnSync('promtool', ['--version']).status === 0
  it.skipIf(!promtool).each([
    ['check', 'config', '--syntax-only', 'prometheus.yaml'],
    ['check', 'rules', 'alerts.yaml'],
    ['test', 'rules', 'alerts.test.yaml'],
  ])('pass promtool %s %s', (...words) => {
    const { status, stdout, stderr } = spawnSync('promtool', words, { cwd: folder, encoding: 'utf8' })
    expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, ''])
  })

  it('are tested for each alert', async () => {
    const { tests } = parse(await readFile(join(folder, 'alerts.test.yaml'), 'utf8'))
    const firing = (tests[1].alert_rule_test as { alertname: string; exp_alerts?: unknown[] }[]).filter((each) => each.exp_alerts)
    expect(firing.map(({ alertname }) => alertname)).toEqual(rules.map(({ alert }) => alert))
  })
})
