import { expect, it } from 'vitest'
import { remainingSeconds } from './remaining.ts'

const at = (second: number): Date => new Date(1_700_000_000_000 + second * 1000)
const row = {
  status: 'processing',
  stage_started_at: at(0),
  updated_at: at(10),
  progress_from: 0,
  progress_done: 20,
  progress_total: 100,
} as const

it('extrapolates the rate of the stage so far', () => {
  expect(remainingSeconds(row)).toBe(40)
  expect(remainingSeconds({ ...row, progress_done: 100 })).toBe(0)
})

it('ignores progress from before this worker resumed the attempt', () => {
  expect(remainingSeconds({ ...row, progress_from: 10 })).toBe(80)
})

it.each([
  ['it has just begun', { updated_at: at(1) }],
  ['nothing was done since it began', { progress_from: 20 }],
  ['it counts again from its start', { progress_from: 50 }],
  ['no stage has begun', { stage_started_at: null }],
  ['it is over', { status: 'completed' }],
] as const)('is unknown if %s', (_when, change) => {
  expect(remainingSeconds({ ...row, ...change })).toBeNull()
})
