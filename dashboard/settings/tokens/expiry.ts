const dayMs = 86_400_000
const days = { days30: 30, days90: 90, year: 365 } as const

export type Expiry = keyof typeof days | 'day' | 'never'
export const expiryNames: readonly Expiry[] = ['days30', 'days90', 'year', 'day', 'never']

/** Returns the expiry time in ISO 8601, or null for never. */
export const expiresAfter = (expiry: Exclude<Expiry, 'day'>, now: number): string | null =>
  expiry === 'never' ? null : new Date(now + days[expiry] * dayMs).toISOString()

/** Returns the last millisecond of a day such as `2027-01-31` in the browser’s time zone. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

/** Returns the current day in the browser’s time zone, as `2027-01-31`. */
export const today = (): string => new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
