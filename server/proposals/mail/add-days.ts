/** Returns the moment that has the same time of day in the time zone (IANA name) a number of days later. */
export function addDays(moment: Date, days: number, timeZone: string): Date {
  const localTime = localTimeIn(timeZone)
  return atLocalTime(localTime(moment) + days * dayMs, moment, localTime)
}

/** Returns the last millisecond of the day in the time zone (IANA name) that is a number of days later. */
export function endOfDay(moment: Date, days: number, timeZone: string): Date {
  const localTime = localTimeIn(timeZone)
  const today = Math.floor(localTime(moment) / dayMs) * dayMs
  // Where the clocks skip the end of a day, as in Nuuk, the day ends when the next one begins.
  return new Date(atLocalTime(today + (days + 1) * dayMs, moment, localTime).getTime() - 1)
}

const dayMs = 86_400_000

type LocalTime = (moment: Date) => number

/** @param before an earlier moment, from which the search for the offset starts */
function atLocalTime(wanted: number, before: Date, localTime: LocalTime): Date {
  const offsetMs = (moment: Date): number => localTime(moment) - moment.getTime()
  // The offset of the zone can change in between. A time that the clocks skip becomes the one after the change.
  const guess = wanted - offsetMs(new Date(wanted - offsetMs(before)))
  return new Date(Math.max(guess, wanted - offsetMs(new Date(guess))))
}

/** Returns a function that returns date and time of the zone, as the milliseconds at which a clock in UTC shows them. */
function localTimeIn(timeZone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (moment) => {
    const parts = format.formatToParts(moment)
    const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((each) => each.type === type)?.value)
    const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
    return whole + moment.getUTCMilliseconds()
  }
}
