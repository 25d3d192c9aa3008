import { expect, test, vi } from 'vitest'
import { batched, keysOf } from './event-stream.ts'
import type { LiveEvent, Module } from './module.ts'

const event = (type: string): LiveEvent => ({ type }) as LiveEvent

test('returns each query key that events invalidate once', () => {
  const room = (prefix: string): Module => ({
    links: [],
    touchedBy: ({ type }) => (type.startsWith(prefix) ? [[prefix], [prefix, type]] : []),
  })
  const quiet: Module = { links: [] }
  expect(keysOf([room('base'), quiet, room('source')], [event('base.created'), event('base.created'), event('source.failed')])).toEqual([
    ['base'],
    ['base', 'base.created'],
    ['source'],
    ['source', 'source.failed'],
  ])
})

test('events in bulk are handled once a second', () => {
  vi.useFakeTimers()
  try {
    const batches: number[] = []
    const add = batched<number>((items) => batches.push(items.length))
    for (let item = 0; item < 50; item += 1) {
      add(item)
      vi.advanceTimersByTime(100)
    }
    vi.advanceTimersByTime(1_000)
    expect(batches.length).toBeLessThanOrEqual(6)
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(50)
  } finally {
    vi.useRealTimers()
  }
})
