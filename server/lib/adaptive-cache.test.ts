import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { adaptiveCache } from './adaptive-cache.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const tookMs = 100

/** Computes increasing numbers from the given one; numbers from 10 on are large. */
function counting(first: number) {
  const ask = adaptiveCache<number>({ isLarge: (answer) => answer >= 10, rest: 20 })
  let next = first
  const work = async (): Promise<number> => {
    vi.advanceTimersByTime(tookMs)
    return next++
  }
  return (key = 'a', place: object = counting) => ask(place, key, work)
}

it('does not cache small values', async () => {
  const compute = counting(1)
  expect([await compute(), await compute()]).toEqual([1, 2])
})

it('caches large values for a multiple of their computation time', async () => {
  const compute = counting(10)
  expect(await compute()).toBe(10)
  vi.advanceTimersByTime(20 * tookMs - 1)
  expect(await compute()).toBe(10)
  vi.advanceTimersByTime(1)
  expect(await compute()).toBe(11)
})

it('separates keys and owners', async () => {
  const compute = counting(10)
  expect([await compute('a'), await compute('b'), await compute('a', {}), await compute('a')]).toEqual([10, 11, 12, 10])
})

it('shares a computation among concurrent callers', async () => {
  const compute = counting(1)
  expect(await Promise.all([compute(), compute()])).toEqual([1, 1])
})

it('does not cache errors', async () => {
  const ask = adaptiveCache<number>({ isLarge: () => true, rest: 20 })
  await expect(ask(counting, 'a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await ask(counting, 'a', async () => 2)).toBe(2)
})
