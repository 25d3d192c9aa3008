import { expect, test } from 'vitest'
import { addDays, dayIn, endOfDayIn } from './zone-days.ts'

test.each([
  ['UTC', '2026-12-31', '2026-12-31T23:59:59.999Z'],
  ['Asia/Tokyo', '2026-05-25', '2026-05-25T14:59:59.999Z'],
  ['America/Los_Angeles', '2026-05-25', '2026-05-26T06:59:59.999Z'],
  // Clocks are put forward and back within the day.
  ['Europe/Berlin', '2026-03-29', '2026-03-29T21:59:59.999Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.999Z'],
  // 00:00 of 2026-04-24 does not exist.
  ['Africa/Cairo', '2026-04-23', '2026-04-23T21:59:59.999Z'],
  // 23:00 to 24:00 of 2026-03-28 does not exist, and of 2026-10-24 exists twice.
  ['America/Nuuk', '2026-03-28', '2026-03-29T00:59:59.999Z'],
  ['America/Nuuk', '2026-10-24', '2026-10-25T01:59:59.999Z'],
  // The whole day 2011-12-30 does not exist.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T09:59:59.999Z'],
])('in %s, %s ends at %s', (timeZone, day, end) => {
  expect(endOfDayIn(day, timeZone).toISOString()).toBe(end)
})

test('returns the day in the time zone', () => {
  const moment = new Date('2026-05-25T22:30:00Z')
  expect(['America/New_York', 'UTC', 'Asia/Tokyo'].map((timeZone) => dayIn(moment, timeZone))).toEqual([
    '2026-05-25',
    '2026-05-25',
    '2026-05-26',
  ])
})

test('adds days', () => expect(addDays('2026-12-30', 3)).toBe('2027-01-02'))
