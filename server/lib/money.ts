/**
 * Amounts and other decimals as scaled integers: a bigint that counts units of 10^-decimals. Nothing here is ever a
 * float, so nothing is lost.
 */

/** Decimals of an amount of money. */
export const amountDecimals = 2

/** The largest amount that can be kept: twelve digits before the point. */
export const maxAmount = 10n ** 14n - 1n

/**
 * "1200.5" with two decimals is 120050n.
 * @param decimal digits, with a point and further digits or without
 * @throws RangeError when the text is not a decimal, or has more decimals than that
 */
export function parseDecimal(decimal: string, decimals: number): bigint {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(decimal)
  const [, whole, fraction = ''] = match ?? []
  if (whole === undefined || fraction.length > decimals) throw new RangeError(`not a decimal of at most ${decimals} decimals: ${decimal}`)
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** 120050n with two decimals is "1200.50". */
export function formatDecimal(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The shortest way to write the same number: "019.50" is "19.5". */
export function shortestDecimal(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  const decimals = fraction.replace(/0+$/, '')
  return `${BigInt(whole)}${decimals === '' ? '' : `.${decimals}`}`
}

/** The quotient rounded to the nearest integer, a half upwards. Both are at least zero, the divisor above it. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

export const parseAmount = (amount: string): bigint => parseDecimal(amount, amountDecimals)
export const formatAmount = (amount: bigint): string => formatDecimal(amount, amountDecimals)
