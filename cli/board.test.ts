import { expect, test } from 'vitest'
import { progressBar, timeLeft } from './board.ts'

test('the progress bar appears when the total is known', () => {
  expect(progressBar(0, 0, 'chunks')).toBe('')
  expect(progressBar(12, 40, 'chunks')).toBe('██████░░░░░░░░░░░░░░ 12/40 chunks')
  expect(progressBar(50, 40, 'pages')).toBe('████████████████████ 50/40 pages')
})

test('the time left is shown in a suitable unit when it is known', () => {
  expect([null, undefined].map(timeLeft)).toEqual(['', ''])
  expect([0, 89, 90, 5_399, 5_400, 36_000].map(timeLeft)).toEqual([
    ', 0 s left',
    ', 89 s left',
    ', 2 min left',
    ', 90 min left',
    ', 2 h left',
    ', 10 h left',
  ])
})
