import { expect, test } from 'vitest'
import { auditFilterOf, auditQueryOf } from './filter.ts'

test('reads the valid parts of a filter from the URL', () => {
  expect(auditFilterOf({ actions: ['token.created', 'nothing', 1], actor: 'tok_1', from: '2026-05-25', to: 'soon' })).toEqual({
    actions: ['token.created'],
    actor: 'tok_1',
    target: undefined,
    from: '2026-05-25',
    to: undefined,
  })
})

test('includes the whole last day', () => {
  const { since, until } = auditQueryOf({ from: '2026-05-25', to: '2026-05-25' })
  expect(Date.parse(until ?? '') - Date.parse(since ?? '')).toBe(86_400_000)
  expect(auditQueryOf({})).toEqual({})
})
