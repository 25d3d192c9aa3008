/** Returns midnight in the browser’s time zone, `daysLater` days after a day such as `2026-05-25`. */
export function startOfDay(day: string, daysLater: number): string {
  const moment = new Date(`${day}T00:00:00`)
  moment.setDate(moment.getDate() + daysLater)
  return moment.toISOString()
}
