import { expect, it } from 'vitest'
import { addDays, endOfDay } from './add-days.ts'

it.each([
  // Clocks are put forward on 2026-03-29 and back on 2026-10-25.
  ['Europe/Berlin', '2026-03-27T09:30:00.250Z', 3, '2026-03-30T08:30:00.250Z'],
  ['Europe/Berlin', '2026-10-23T08:30:00.000Z', 3, '2026-10-26T09:30:00.000Z'],
  // On 2026-03-08 and 2026-11-01.
  ['America/New_York', '2026-03-01T04:30:00.000Z', 14, '2026-03-15T03:30:00.000Z'],
  ['America/New_York', '2026-10-31T03:30:00.000Z', 7, '2026-11-07T04:30:00.000Z'],
  // Back by half an hour on 2026-04-05, and forward on 2026-10-04.
  ['Australia/Lord_Howe', '2026-04-03T13:15:00.000Z', 3, '2026-04-06T13:45:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-01T13:45:00.000Z', 7, '2026-10-08T13:15:00.000Z'],
  // 02:30 does not exist on 2026-03-29 in Berlin, and becomes 03:30.
  ['Europe/Berlin', '2026-03-26T01:30:00.000Z', 3, '2026-03-29T01:30:00.000Z'],
  ['UTC', '2026-12-30T23:59:59.999Z', 3, '2027-01-02T23:59:59.999Z'],
])('in %s, %s and %i days is %s', (timeZone, moment, days, later) => {
  expect(addDays(new Date(moment), days, timeZone).toISOString()).toBe(later)
})

it.each([
  ['Europe/Berlin', '2026-03-27T09:30:00.000Z', 2, '2026-03-29T21:59:59.999Z'],
  // Clocks skip the hour before midnight.
  ['America/Nuuk', '2026-03-26T12:00:00.000Z', 2, '2026-03-29T00:59:59.999Z'],
  // Clocks skip the hour after midnight.
  ['Africa/Cairo', '2026-04-21T12:00:00.000Z', 2, '2026-04-23T21:59:59.999Z'],
  ['Africa/Cairo', '2026-04-21T12:00:00.000Z', 3, '2026-04-24T20:59:59.999Z'],
  // The hour before midnight comes twice.
  ['America/Nuuk', '2026-10-22T12:00:00.000Z', 2, '2026-10-25T01:59:59.999Z'],
])('in %s, the day of %s plus %i days ends at %s', (timeZone, moment, days, end) => {
  expect(endOfDay(new Date(moment), days, timeZone).toISOString()).toBe(end)
})
