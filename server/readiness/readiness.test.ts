import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLoopRegistry } from '../lib/loop-health.ts'
import { createReadiness, type ReadinessOptions } from './readiness.ts'

const full = Object.assign(new Error('ENOSPC: no space left on device, write /srv/secret-path'), { code: 'ENOSPC' })

function readinessWith(options: Partial<ReadinessOptions> = {}) {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const now = (): Date => new Date(time)
  const log = pino({ level: 'silent' })
  const loops = createLoopRegistry({ log, now })
  const readiness = createReadiness({ loops, writeProbes: {}, log, now, ...options })
  return { readiness, loops, pass: (ms: number) => (time += ms) }
}

describe('the program is ready', () => {
  it('while everything can be written and no background work fails', async () => {
    const { readiness } = readinessWith({ writeProbes: { database: async () => undefined } })
    expect(await readiness.reasons()).toEqual([])
  })

  it('not while a write probe fails, which is reported without paths', async () => {
    let broken = true
    const write = async (): Promise<void> => {
      if (broken) throw full
    }
    const { readiness } = readinessWith({ writeProbes: { 'data folder': write, database: async () => undefined }, cacheMs: 0 })
    expect(await readiness.reasons()).toEqual([
      { field: 'data folder', code: 'not_writable', message: 'The data folder cannot be written (ENOSPC).' },
    ])
    broken = false
    expect(await readiness.reasons()).toEqual([])
  })

  it('not while a write hangs', async () => {
    const { readiness } = readinessWith({ writeProbes: { database: () => new Promise(() => undefined) }, timeoutMs: 10 })
    expect(await readiness.reasons()).toMatchObject([{ field: 'database', message: 'The database cannot be written (ETIMEDOUT).' }])
  })

  it('and shares a probe among concurrent and closely following callers', async () => {
    let calls = 0
    const write = async (): Promise<void> => {
      calls += 1
    }
    const { readiness } = readinessWith({ writeProbes: { database: write }, cacheMs: 60_000 })
    await Promise.all([readiness.reasons(), readiness.reasons()])
    await readiness.reasons()
    expect(calls).toBe(1)
  })

  it('not while background work fails repeatedly, until it succeeds', async () => {
    const { readiness, loops, pass } = readinessWith()
    const loop = loops.loop('webhook delivery')
    for (let round = 0; round < 3; round += 1) {
      loop.failed(Object.assign(new Error('prepared statement "c48_scope" does not exist'), { code: '26000' }))
      pass(3000)
    }
    expect(await readiness.reasons()).toEqual([
      {
        field: 'webhook delivery',
        code: 'background_work_failing',
        message: 'Background work "webhook delivery" has failed 3 times in a row since 2026-01-01T00:00:00.000Z (26000).',
      },
    ])
    loop.succeeded()
    expect(await readiness.reasons()).toEqual([])
  })

  it('not while it shuts down', async () => {
    const { readiness } = readinessWith()
    readiness.startDraining()
    expect(await readiness.reasons()).toEqual([{ field: 'program', code: 'draining', message: 'The program is shutting down.' }])
  })
})
