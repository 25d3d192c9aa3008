import { expect, test } from 'vitest'
import { auditFilterOf, auditQueryOf } from './filter.ts'

test('a filter is read from an address as far as it fits', () => {
  expect(auditFilterOf({ actions: ['token.created', 'nothing', 1], actor: 'tok_1', from: '2026-05-25', to: 'soon' })).toEqual({
    actions: ['token.created'],
    actor: 'tok_1',
    target: undefined,
    from: '2026-05-25',
    to: undefined,
  })
})

test('the last day is in it, to its end', () => {
  const { since, until } = auditQueryOf({ from: '2026-05-25', to: '2026-05-25' })
  expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_400_000)
  expect(auditQueryOf({})).toEqual({})
})
