const dayMs = 86_400_000

/** Returns a function that returns the day of a moment in the time zone (IANA name), as `2026-05-25`. */
function dayFormat(timeZone: string): (moment: number) => string {
  const format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (moment) => {
    const parts = format.formatToParts(moment)
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((each) => each.type === type)?.value ?? ''
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  }
}

/** Returns the day of a moment in the time zone (IANA name), as `2026-05-25`. */
export const dayIn = (moment: Date, timeZone: string): string => dayFormat(timeZone)(moment.getTime())

/** @param day such as `2026-05-25` */
export const addDays = (day: string, days: number): string => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/**
 * Returns the last millisecond of a day such as `2026-05-25` in the time zone (IANA name). It is found by bisection, because clock
 * changes skip or repeat the last or the first hour of some days.
 */
export function endOfDayIn(day: string, timeZone: string): Date {
  const dayOf = dayFormat(timeZone)
  // Time zones differ from UTC by less than a day.
  let [last, next] = [Date.parse(day) - dayMs, Date.parse(day) + 2 * dayMs]
  while (next - last > 1) {
    const middle = Math.floor((last + next) / 2)
    if (dayOf(middle) > day) next = middle
    else last = middle
  }
  return new Date(last)
}
