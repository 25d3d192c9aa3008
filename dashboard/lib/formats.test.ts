import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { bytes, duration, money, relativeTime } from './formats.ts'

const now = Date.parse('2026-05-25T12:00:00.000Z')

describe('formats', () => {
  test('formats times in the largest unit that fits', () => {
    const format = (at: string): string => relativeTime(at, now)
    expect(format('2026-05-25T11:59:40.000Z')).toBe('now')
    expect(format('2026-05-25T12:00:20.000Z')).toBe('now')
    expect(format('2026-05-25T11:55:00.000Z')).toBe('5 minutes ago')
    expect(format('2026-05-27T12:00:00.000Z')).toBe('in 2 days')
    expect(format('2026-08-23T11:59:59.000Z')).toBe('in 90 days')
    expect(format('2026-03-20T12:00:00.000Z')).toBe('2 months ago')
    expect(format('2025-04-01T12:00:00.000Z')).toBe('last year')
  })

  test('a day without a time is that day in every time zone', async () => {
    vi.stubEnv('TZ', 'America/St_Johns')
    onTestFinished(() => void vi.unstubAllEnvs())
    // Loads it again, because it keeps its formats.
    const unloaded = './formats.ts?west'
    const { dayOf } = (await import(unloaded)) as typeof import('./formats.ts')
    expect([dayOf('2026-12-01'), dayOf('2026-12-01T01:00:00Z')]).toEqual(['Dec 1, 2026', 'Nov 30, 2026'])
  })

  test('formats amounts without rounding', () => {
    expect(money('999999999999.99', 'USD')).toContain('999,999,999,999.99')
    expect(money('0.10', 'EUR')).toContain('0.10')
  })

  test('formats sizes and durations', () => {
    expect(bytes(0)).toBe('0 bytes')
    expect(bytes(1_500_000)).toBe('1.5 MB')
    expect(duration(200)).toBe('3 min 20 sec')
    expect(duration(9)).toBe('9 sec')
  })
})
