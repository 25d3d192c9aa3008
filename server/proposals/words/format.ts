import { currencyDecimals } from '@groundwork/api/money'

/**
 * Formats amounts, numbers and dates of proposals in a locale of `localeOf`. Decimals are strings, and Intl reads them without
 * a conversion to floats, so all digits are exact.
 */

/** Returns a function that formats a decimal string as an amount: `1234.5` in EUR and `de` is `1.234,50 €`. */
export function amountFormat(locale: string, currency: string): (amount: string) => string {
  // The runtime's own number of decimals varies with its version. Unit prices can have more decimals than the currency: up to six
  // are kept, because a rounded price would be another price.
  const digits = { minimumFractionDigits: currencyDecimals(currency), maximumFractionDigits: 6 }
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits })
  return (amount) => format.format(requireDecimal(amount))
}

/** Returns a function that formats a decimal string with at most six decimals: `1234.500` in `de` is `1.234,5`. */
export function numberFormat(locale: string): (decimal: string) => string {
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 })
  return (decimal) => format.format(requireDecimal(decimal))
}

/** Returns a function that formats a decimal string in per cent: `9.975` in `de` is `9,975 %`. */
export function percentFormat(locale: string): (decimal: string) => string {
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent', maximumFractionDigits: 6 })
  return (decimal) => format.format(requireDecimal(decimal))
}

/** Returns a function that formats a date in a time zone (IANA name): `23. November 2026`. */
export function dateFormat(locale: string, timeZone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { timeZone, year: 'numeric', month: 'long', day: 'numeric' })
  return (moment) => format.format(moment)
}

/** Returns a function that formats a date with the time and the name of its time zone: `23. November 2026 um 06:38 MEZ`. */
export function momentFormat(locale: string, timeZone: string): (moment: Date) => string {
  const format = new Intl.DateTimeFormat(locale, {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return (moment) => format.format(moment)
}

/** Returns whether a decimal is zero: `0`, `0.00`. */
export const isZero = (decimal: string): boolean => /^0(\.0*)?$/.test(decimal)

/** Intl formats other texts as NaN, and a proposal must not show that as an amount. */
function requireDecimal(text: string): Intl.StringNumericLiteral {
  if (!isDecimal(text)) throw new RangeError(`not a decimal: ${text}`)
  return text
}

const isDecimal = (text: string): text is Intl.StringNumericLiteral => /^-?\d+(\.\d+)?$/.test(text)

/** Returns the format of an expiry: the day, of which the whole is meant, or with the time if the day goes on after it. */
export function expiryFormat(locale: string, timeZone: string): (moment: Date) => string {
  const [date, withTime] = [dateFormat(locale, timeZone), momentFormat(locale, timeZone)]
  return (moment) => (date(new Date(moment.getTime() + 60_000)) === date(moment) ? withTime(moment) : date(moment))
}
