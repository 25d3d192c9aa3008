import { expect, test } from 'vitest'
import { auditFilterOf, auditQueryOf } from './filter.ts'

const actor = 'tok_0192c3d4-0000-7000-8000-000000000001'

test('reads the valid parts of a filter from the URL', () => {
  expect(auditFilterOf({ actions: ['token.created', 'nothing', 1], actor, target: 'nobody', from: '2026-05-25', to: 'soon' })).toEqual({
    actions: ['token.created'],
    actor,
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
