import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { seldomIfSlow } from './seldom-if-slow.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function counting(tookMs: number) {
  const ask = seldomIfSlow<number>({ slowMs: 50, rest: 20 })
  let times = 0
  const work = async (): Promise<number> => {
    vi.advanceTimersByTime(tookMs)
    return ++times
  }
  return (key = 'a', place: object = counting) => ask(place, key, work)
}

it('works out each time what is quick', async () => {
  const asked = counting(49)
  expect([await asked(), await asked()]).toEqual([1, 2])
})

it('keeps what is slow for as many times as long as it took', async () => {
  const asked = counting(100)
  expect(await asked()).toBe(1)
  vi.advanceTimersByTime(1999)
  expect(await asked()).toBe(1)
  vi.advanceTimersByTime(1)
  expect(await asked()).toBe(2)
})

it('knows questions and places apart', async () => {
  const asked = counting(100)
  expect([await asked('a'), await asked('b'), await asked('a', {}), await asked('a')]).toEqual([1, 2, 3, 1])
})

it('gives the same answer to who asks meanwhile', async () => {
  const asked = counting(0)
  expect(await Promise.all([asked(), asked()])).toEqual([1, 1])
})

it('keeps no failure', async () => {
  const ask = seldomIfSlow<number>({ slowMs: 0, rest: 20 })
  await expect(ask(counting, 'a', () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await ask(counting, 'a', async () => 2)).toBe(2)
})
