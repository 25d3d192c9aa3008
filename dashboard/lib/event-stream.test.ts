import { expect, test } from 'vitest'
import { keysOf } from './event-stream.ts'
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
