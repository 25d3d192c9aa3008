import { expect, test } from 'vitest'
import { textWindows } from './text-windows.ts'

test('a text within the limit stays whole', () => {
  expect(textWindows('', 10)).toEqual([''])
  expect(textWindows('ten chars.', 10)).toEqual(['ten chars.'])
})

test('a long text is split between words, completely and within the limit', () => {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(50)
  const windows = textWindows(text, 200)
  expect(windows.join('')).toBe(text)
  expect(Math.max(...windows.map((window) => window.length))).toBeLessThanOrEqual(200)
  for (const window of windows.slice(0, -1)) expect(window).toMatch(/\s$/)
})

test('a text without spaces is split between characters', () => {
  const windows = textWindows('🙂'.repeat(101), 15)
  expect(windows.join('')).toBe('🙂'.repeat(101))
  for (const window of windows) expect(Buffer.from(window).toString()).toBe(window)
})
