import { expect, test } from 'vitest'
import { tokenWindows } from './token-windows.ts'

const ids = (length: number) => Array.from({ length }, (_, at) => at)

test('a text that fits is one window, and so is an empty text', () => {
  expect(tokenWindows([], 254)).toEqual([[]])
  expect(tokenWindows(ids(254), 254)).toEqual([ids(254)])
})

test('windows contain every token once in order, and differ by at most one token in size', () => {
  for (const length of [255, 508, 509, 1000, 12_345]) {
    const windows = tokenWindows(ids(length), 254)
    const sizes = windows.map((window) => window.length)
    expect(windows.flat()).toEqual(ids(length))
    expect(windows).toHaveLength(Math.ceil(length / 254))
    expect(Math.max(...sizes)).toBeLessThanOrEqual(254)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  }
})
