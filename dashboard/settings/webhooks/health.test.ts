import { expect, test } from 'vitest'
import { healthOf, prettyJson } from './health.ts'

test('derives the health of an endpoint from its record', () => {
  expect(healthOf({ enabled: true, disabledReason: null, failingSince: null })).toBe('working')
  expect(healthOf({ enabled: true, disabledReason: null, failingSince: '2026-05-25T00:00:00Z' })).toBe('failing')
  expect(healthOf({ enabled: false, disabledReason: 'manual', failingSince: '2026-05-25T00:00:00Z' })).toBe('manual')
  expect(healthOf({ enabled: false, disabledReason: 'gone', failingSince: null })).toBe('gone')
  expect(healthOf({ enabled: false, disabledReason: 'failing', failingSince: null })).toBe('given-up')
})

test('formats JSON bodies and leaves others unchanged', () => {
  expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(prettyJson('<h1>Bad gateway</h1>')).toBe('<h1>Bad gateway</h1>')
})
