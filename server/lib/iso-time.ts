const dayMs = 86_400_000
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))
/** The date of the last call, up to the `T`: most times of a list are of few days. */
let lastDay = { day: Number.NaN, text: '' }

/**
 * Returns the same text as `toISOString`, in less than half the time: 100 times took 26 instead of 68 µs, and a page of a list has as
 * many.
 * @throws RangeError for an invalid date
 */
export function isoTime(date: Date): string {
  const ms = date.getTime()
  const day = Math.floor(ms / dayMs)
  if (day !== lastDay.day) {
    const text = date.toISOString()
    lastDay = { day, text: text.slice(0, text.indexOf('T') + 1) }
  }
  const msOfDay = ms - day * dayMs
  const seconds = Math.floor(msOfDay / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${lastDay.text}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[msOfDay - seconds * 1000]}Z`
}
