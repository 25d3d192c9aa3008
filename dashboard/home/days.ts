import type { Overview } from './queries.ts'

export type Day = NonNullable<Overview['searches']>['days'][number]

const dayMs = 86_400_000

/** So many UTC days up to today, oldest first; one without a search took no time. @param days as the API lists them */
export function everyDay(days: readonly Day[], { count, now }: { count: number; now: number }): Day[] {
  const known = new Map(days.map((one) => [one.day, one]))
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * dayMs).toISOString().slice(0, 10)
    return known.get(day) ?? { day, searches: 0, unanswered: 0, p50Ms: 0, p95Ms: 0 }
  })
}

/** The points of a line through the days that have a search, in a field `width` by `height` whose top is `most`. */
export function pointsOf(
  days: readonly Day[],
  value: (day: Day) => number,
  { width, height, most }: Record<'width' | 'height' | 'most', number>,
) {
  const step = width / days.length
  return days.flatMap((day, index) =>
    day.searches === 0 ? [] : [{ x: (index + 0.5) * step, y: height - (most === 0 ? 0 : value(day) / most) * height }],
  )
}
