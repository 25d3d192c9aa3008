import { expect, test } from 'vitest'
import { askedOf, bodyOf, filterOf } from './asked.ts'

test('reads the valid options from the URL', () => {
  expect(
    askedOf({ q: 'When?', bases: ['kb_1'], topK: 5, threshold: 0.2, hybrid: false, filter: { key: 'a', eq: 1 }, sources: [] }),
  ).toEqual({
    q: 'When?',
    bases: ['kb_1'],
    topK: 5,
    threshold: 0.2,
    hybrid: false,
    filter: { key: 'a', eq: 1 },
  })
  expect(askedOf({ q: 2026, topK: 1000, threshold: 'high', hybrid: 'yes', neighbours: -1, filter: [1], bases: 'kb_1', else: 1 })).toEqual({
    q: '2026',
  })
})

test('omits options that are not set', () => {
  expect(bodyOf({ q: 'When?', bases: ['kb_1'], perSource: 2, budget: 300 })).toEqual({
    query: 'When?',
    perSourceLimit: 2,
    latencyBudgetMs: 300,
  })
})

test('a filter is a JSON object or empty', () => {
  expect(filterOf(' ')).toEqual({ filter: undefined })
  expect(filterOf('{"key": "a", "eq": 1}')).toEqual({ filter: { key: 'a', eq: 1 } })
  expect(filterOf('[1]')).toEqual({ error: 'filterNoObject' })
  expect(filterOf('{"key": ')).toEqual({ error: 'filterNoJson' })
})
