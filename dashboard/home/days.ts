import type { Overview } from './queries.ts'

export type Day = NonNullable<Overview['searches']>['days'][number]

const dayMs = 86_400_000

/** Returns the last `count` UTC days up to today, oldest first. Fills days without searches with zeros. @param days from the API */
export function everyDay(days: readonly Day[], { count, now }: { count: number; now: number }): Day[] {
  const known = new Map(days.map((entry) => [entry.day, entry]))
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * dayMs).toISOString().slice(0, 10)
    return known.get(day) ?? { day, searches: 0, unanswered: 0, p50Ms: 0, p95Ms: 0 }
  })
}

/** Returns the points of a line through the days with searches, in an area of `width` by `height` whose top is the value `max`. */
export function pointsOf(
  days: readonly Day[],
  value: (day: Day) => number,
  { width, height, max }: Record<'width' | 'height' | 'max', number>,
) {
  const step = width / days.length
  return days.flatMap((day, index) =>
    day.searches === 0 ? [] : [{ x: (index + 0.5) * step, y: height - (max === 0 ? 0 : value(day) / max) * height }],
  )
}
