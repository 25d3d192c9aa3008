import { expect, it } from 'vitest'
import { everyDay, pointsOf, type Day } from './days.ts'

const now = Date.parse('2026-03-02T00:30:00Z')
const day = (name: string, more: Partial<Day> = {}): Day => ({ day: name, searches: 4, unanswered: 1, p50Ms: 10, p95Ms: 20, ...more })

it('returns each day up to today once, oldest first', () => {
  const days = everyDay([day('2026-03-02'), day('2026-02-28'), day('2026-02-26')], { count: 4, now })
  expect(days.map(({ day: name, searches }) => [name, searches])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 4],
    ['2026-03-01', 0],
    ['2026-03-02', 4],
  ])
})

it('returns points for the days with searches, with the maximum at the top', () => {
  const days = everyDay([day('2026-03-02'), day('2026-02-28', { p95Ms: 40 })], { count: 4, now })
  const area = { width: 80, height: 60, max: 40 }
  expect(pointsOf(days, ({ p95Ms }) => p95Ms, area)).toEqual([
    { x: 30, y: 0 },
    { x: 70, y: 30 },
  ])
  expect(pointsOf(days, () => 0, { ...area, max: 0 })).toEqual([
    { x: 30, y: 60 },
    { x: 70, y: 60 },
  ])
})
