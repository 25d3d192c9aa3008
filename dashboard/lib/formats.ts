import { fractionDigits } from '@groundwork/api/money'
import { once } from './once.ts'

const time = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }))
const day = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))
const plainDay = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }))
/** In the language of the messages. */
const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'always' }))

/** @param at ISO 8601 */
export const exactTime = (at: string): string => time().format(new Date(at))

/** @param at ISO 8601: a time, whose day depends on the browser’s time zone, or a day such as `2026-05-25` */
export const dayOf = (at: string): string => (isDay(at) ? plainDay() : day()).format(new Date(at))

/** Returns whether a text is a day such as `2026-05-25`. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Times ahead are counted in days up to this many seconds, since people choose them in days: “in 90 days”. */
const inDaysSeconds = 120 * 86_400

/** Formats a time such as “5 minutes ago” or “in 2 days”, by the time between and not by the calendar. Less than a minute is “now”. */
export function relativeTime(at: string, now: number): string {
  const seconds = (new Date(at).getTime() - now) / 1000
  if (seconds >= 86_400 && seconds <= inDaysSeconds) return relative().format(Math.round(seconds / 86_400), 'day')
  const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return unit === 'second' ? 'now' : relative().format(Math.trunc(seconds / length), unit)
}

/** Formats by their options. Making one takes 0.2 ms on a phone, and lists have dozens of amounts. */
const currencyFormats = new Map<string, Intl.NumberFormat>()

/** @param amount an exact decimal such as `1200.00`; Intl formats strings without rounding */
export function money(amount: string, currency: string): string {
  const digits = fractionDigits(amount, currency)
  const key = `${currency} ${digits.minimumFractionDigits} ${digits.maximumFractionDigits}`
  const format = currencyFormats.get(key) ?? new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits })
  currencyFormats.set(key, format)
  return format.format(amount as Intl.StringNumericLiteral)
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Formats a size such as “1.5 MB”. Bytes are written out, because the short form has no plural: “0 bytes”. */
export function bytes(count: number): string {
  const power = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log10(count) / 3))
  const unit = units[power] ?? 'byte'
  const unitDisplay = power === 0 ? 'long' : 'short'
  return new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay, maximumFractionDigits: power === 0 ? 0 : 1 }).format(
    count / 1000 ** power,
  )
}

export const number = (value: number): string => value.toLocaleString()

export const percent = (fraction: number): string => new Intl.NumberFormat(undefined, { style: 'percent' }).format(fraction)

/** “3 min 20 sec” */
export function duration(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)]
  const format = (value: number, unit: string): string =>
    new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' }).format(value)
  return minutes === 0 ? format(rest, 'second') : `${format(minutes, 'minute')} ${format(rest, 'second')}`
}
