import { describe, expect, it } from 'vitest'
import { firstCheckpointBytes, nextCheckpointBytes } from './checkpoint-size.ts'

const megabyte = 2 ** 20
const max = 16 * megabyte

describe('the growth of the log between checkpoints', () => {
  it('begins at 4 MB, or at the limit if that is less', () => {
    expect(firstCheckpointBytes(max)).toBe(4 * megabyte)
    expect(firstCheckpointBytes(1000)).toBe(1000)
  })

  it('halves after a long checkpoint, down to 1 MB', () => {
    expect(nextCheckpointBytes(4 * megabyte, 101, max)).toBe(2 * megabyte)
    expect(nextCheckpointBytes(1.5 * megabyte, 1000, max)).toBe(megabyte)
    expect(nextCheckpointBytes(1000, 1000, 1000)).toBe(1000)
  })

  it('rises by half after a short one, up to the limit, and stays between', () => {
    expect(nextCheckpointBytes(4 * megabyte, 39, max)).toBe(6 * megabyte)
    expect(nextCheckpointBytes(12 * megabyte, 1, max)).toBe(max)
    expect(nextCheckpointBytes(4 * megabyte, 70, max)).toBe(4 * megabyte)
  })
})
