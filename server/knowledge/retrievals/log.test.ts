import type { SearchReply } from '@groundwork/api'
import { describe, expect, it, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { createRetrievalLog, type RetrievalLogOptions } from './log.ts'

const { organization, database, platform } = await testApp()
const caller = await organization()
const created = await caller.call('POST', '/v1/bases', { name: 'B' })
const baseId: string = created.body.id.slice(-36)

const asked = (query: string): SearchReply => ({
  data: [],
  query,
  timings: { embedMs: 0, searchMs: 0, assembleMs: 0, totalMs: 0 },
  confidence: 0,
  belowThreshold: 0,
  scoredBy: 'hybrid',
  degraded: [],
})
const queries = async (like: string): Promise<string[]> =>
  (await database.pool.query('select query from retrieval where base_id = $1 and query like $2 order by query', [baseId, like])).rows.map(
    ({ query }) => query,
  )

function logOf(options: Partial<RetrievalLogOptions> = {}) {
  const told = { errors: 0, dropped: 0, lost: 0 }
  const programLog: RetrievalLogOptions['log'] = {
    error: (fields: { lost?: number }) => {
      told.errors += 1
      told.lost += fields.lost ?? 0
    },
    warn: (fields: { dropped?: number }) => void (told.dropped += fields.dropped ?? 0),
  }
  const { jobs, retentionDays, now } = platform
  const log = createRetrievalLog(database, { jobs, retentionDays, log: programLog, now, intervalMs: null, ...options })
  return { told, log, record: (query: string) => log.record(caller.ctx, [baseId], asked(query)) }
}

/** Has every transaction fail, as without a database. */
async function without<T>(fn: () => Promise<T>): Promise<T> {
  const reachable = { ...database }
  database.transaction = () => Promise.reject(new Error('connection lost'))
  try {
    return await fn()
  } finally {
    Object.assign(database, reachable)
  }
}

describe('the log of searches', () => {
  it('is written after a delay or when a batch is full', async () => {
    const slow = logOf({ intervalMs: 60_000, full: 3 })
    for (const query of ['full 1', 'full 2']) slow.record(query)
    expect(await queries('full %')).toEqual([])
    slow.record('full 3')
    await vi.waitUntil(async () => (await queries('full %')).length === 3, { timeout: 120_000 })
    await slow.log.close()
    const quick = logOf({ intervalMs: 10 })
    quick.record('timed')
    await vi.waitUntil(async () => (await queries('timed')).length === 1, { timeout: 120_000 })
    await quick.log.close()
  })

  it('writes the remaining rows when it closes', async () => {
    const { log, record, told } = logOf()
    for (let n = 100; n < 500; n += 1) record(`left ${n}`)
    await log.close()
    expect(await queries('left %')).toHaveLength(400)
    expect(told.errors).toBe(0)
  })

  it('reports the number of unwritten rows when it closes', async () => {
    const { log, record, told } = logOf()
    for (const query of ['lost 1', 'lost 2']) record(query)
    await without(() => log.close())
    expect(told).toEqual({ errors: 2, dropped: 0, lost: 2 })
  })

  it('keeps unwritten rows, and logs the failure', async () => {
    const { log, record, told } = logOf()
    record('kept 1')
    await without(() => log.flush())
    expect(told.errors).toBe(1)
    record('kept 2')
    await log.flush()
    expect(await queries('kept %')).toEqual(['kept 1', 'kept 2'])
    expect(told.dropped).toBe(0)
  })

  it('drops the oldest rows when there are too many, and logs their number', async () => {
    const { log, record, told } = logOf({ capacity: 5 })
    for (let n = 1; n <= 4; n += 1) record(`old ${n}`)
    await without(() => log.flush())
    for (let n = 5; n <= 7; n += 1) record(`old ${n}`)
    await log.flush()
    expect(await queries('old %')).toEqual(['old 3', 'old 4', 'old 5', 'old 6', 'old 7'])
    expect(told).toEqual({ errors: 1, dropped: 2, lost: 0 })
  })

  it('has each row once after repeated writes', async () => {
    const { log, record } = logOf()
    const reachable = { ...database }
    record('once')
    // Committed, but nobody heard of it.
    database.transaction = async (...args) => {
      await reachable.transaction(...args)
      throw new Error('connection lost')
    }
    await log.flush()
    Object.assign(database, reachable)
    await log.flush()
    expect(await queries('once')).toEqual(['once'])
  })

  it('writes nothing after it was closed', async () => {
    const other = await caller.call('POST', '/v1/bases', { name: 'C' })
    const id: string = other.body.id.slice(-36)
    const { log } = logOf()
    for (let round = 0; round < 5; round += 1) {
      log.record(caller.ctx, [id], asked('late'))
      await Promise.all([log.flush(), caller.call('PATCH', `/v1/bases/kb_${id}`, { retrievalLog: { enabled: false } })])
      const { rows } = await database.pool.query('select 1 from retrieval where base_id = $1', [id])
      expect(rows).toEqual([])
      await caller.call('PATCH', `/v1/bases/kb_${id}`, { retrievalLog: { enabled: true } })
    }
  })
})
