import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createLoopRegistry } from './loop-health.ts'

/** A registry with a clock that the test controls, and its log lines. */
function registry() {
  let time = Date.parse('2026-01-01T00:00:00Z')
  const lines: { level: number; msg: string; failures: number; err?: { message: string } }[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]) })
  const loops = createLoopRegistry({ log, now: () => new Date(time) })
  return { loops, lines, pass: (ms: number) => (time += ms) }
}

const lost = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:5432'), { code: 'ECONNREFUSED' })

describe('a background loop', () => {
  it('is failing after three consecutive failures over five seconds, and reports its error code without the message', () => {
    const { loops, pass } = registry()
    const loop = loops.loop('webhook delivery')
    loop.failed(lost)
    loop.failed(lost)
    loop.failed(lost)
    expect(loops.failing()).toEqual([])
    pass(5000)
    loop.failed(new Error('the last use could not be written', { cause: lost }))
    expect(loops.failing()).toEqual([
      { name: 'webhook delivery', failures: 4, since: new Date('2026-01-01T00:00:00Z'), code: 'ECONNREFUSED' },
    ])
  })

  it('is not failing after two failures at any distance', () => {
    const { loops, pass } = registry()
    const loop = loops.loop('event feed')
    loop.failed(lost)
    pass(60_000)
    loop.failed(lost)
    expect(loops.failing()).toEqual([])
  })

  it('is healthy again after one success, and when it has reported nothing for two minutes', () => {
    const { loops, pass } = registry()
    const [first, second] = [loops.loop('event feed'), loops.loop('retrieval log')]
    for (let round = 0; round < 4; round += 1) {
      first.failed(lost)
      second.failed(lost)
      pass(2000)
    }
    expect(loops.failing().map(({ name }) => name)).toEqual(['event feed', 'retrieval log'])
    first.succeeded()
    expect(loops.failing().map(({ name }) => name)).toEqual(['retrieval log'])
    pass(120_000)
    expect(loops.failing()).toEqual([])
  })

  it('logs a long series of failures a few times with their number, and the recovery once', () => {
    const { loops, lines, pass } = registry()
    const loop = loops.loop('webhook delivery')
    for (let second = 0; second < 600; second += 1) {
      loop.failed(lost)
      pass(1000)
    }
    loop.succeeded()
    loop.succeeded()
    const [errors, infos] = [lines.filter(({ level }) => level === 50), lines.filter(({ level }) => level === 30)]
    expect(errors.length).toBeGreaterThan(5)
    expect(errors.length).toBeLessThan(20)
    expect(errors[0]).toMatchObject({ msg: 'background work failed: webhook delivery', failures: 1, err: { message: lost.message } })
    expect(infos).toMatchObject([{ msg: 'background work recovered: webhook delivery', failures: 600 }])
  })

  it('that keeps failing and recovering is logged equally rarely', () => {
    const { loops, lines, pass } = registry()
    const loop = loops.loop('job queues')
    for (let second = 0; second < 600; second += 1) {
      loop.failed(lost)
      loop.succeeded()
      pass(1000)
    }
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.length).toBeLessThan(40)
    expect(lines.at(-1)).toMatchObject({ msg: 'background work recovered: job queues' })
  })
})
