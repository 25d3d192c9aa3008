import { expect, it } from 'vitest'
import { coalesced } from './coalesced.ts'

it('calls during a run share the next one, which begins after it', async () => {
  const ends: (() => void)[] = []
  let runs = 0
  const call = coalesced(async () => {
    const run = (runs += 1)
    await new Promise<void>((end) => ends.push(end))
    if (run === 2) throw new Error('failed')
    return run
  })
  const first = [call(), call()]
  await expect.poll(() => runs).toBe(1)
  const second = [call(), call()]
  ends[0]?.()
  expect(await Promise.all(first)).toEqual([1, 1])
  await expect.poll(() => runs).toBe(2)
  const third = call()
  ends[1]?.()
  for (const each of second) await expect(each).rejects.toThrow('failed')
  await expect.poll(() => runs).toBe(3)
  ends[2]?.()
  expect(await third).toBe(3)
})
