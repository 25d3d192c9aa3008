import { afterEach, describe, expect, test } from 'vitest'
import { bytes, dayOf, duration, money, relativeTime } from './formats.ts'

const { TZ: timeZoneBefore } = process.env
afterEach(() => {
  if (timeZoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = timeZoneBefore
})

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
    expect(format('2025-04-01T12:00:00.000Z')).toBe('1 year ago')
    expect(format('2026-05-24T11:00:00.000Z')).toBe('1 day ago')
    expect(format('2026-05-26T13:00:00.000Z')).toBe('in 1 day')
    expect(format('2026-05-17T12:00:00.000Z')).toBe('1 week ago')
  })

  test.each(['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati'])('formats plain days as they are in %s', (timeZone) => {
    process.env['TZ'] = timeZone
    expect(dayOf('2026-05-25')).toContain('25')
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
