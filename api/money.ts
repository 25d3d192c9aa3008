/**
 * Decimal arithmetic for proposals. A decimal is a scaled integer: a bigint that counts units of 10^-decimals. No value is ever
 * a float, so nothing is lost to rounding. The API schemas, the service and the dashboard use this file. It imports nothing, to
 * keep the validation library out of dashboard pages.
 */

/** Maximum numbers of digits before and after the decimal point. */
export interface Digits {
  whole: number
  decimals: number
}

export const amountDigits: Digits = { whole: 12, decimals: 2 }
export const quantityDigits: Digits = { whole: 9, decimals: 3 }
/** Per cent. */
export const taxRateDigits: Digits = { whole: 3, decimals: 2 }

const unitOf = (decimals: number): bigint => 10n ** BigInt(decimals)
const maxAmount = unitOf(amountDigits.whole + amountDigits.decimals) - 1n
/** A tax rate of 19 % is 1900n, and 100 % is this. */
const wholeTaxRate = 100n * unitOf(taxRateDigits.decimals)

/** Matches a decimal within these limits. */
export const decimalPattern = ({ whole, decimals }: Digits): RegExp =>
  new RegExp(`^\\d{1,${whole}}${decimals === 0 ? '' : `(\\.\\d{1,${decimals}})?`}$`)

/**
 * Parses a decimal: "1200.5" with two decimals is 120050n.
 * @throws RangeError if the text is not a decimal or has too many digits
 */
export function parseDecimal(decimal: string, digits: Digits): bigint {
  if (!decimalPattern(digits).test(decimal)) throw new RangeError(`not a decimal of at most ${digits.decimals} decimals: ${decimal}`)
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(digits.decimals, '0'))
}

/** Formats a scaled integer: 120050n with two decimals is "1200.50". */
export function formatDecimal(scaled: bigint, decimals: number): string {
  const sign = scaled < 0n ? '-' : ''
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0')
  return decimals === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Returns the shortest form of the same number: "019.50" is "19.5". */
export function shortestDecimal(decimal: string): string {
  const [whole = '', fraction = ''] = decimal.split('.')
  const decimals = fraction.replace(/0+$/, '')
  return `${BigInt(whole)}${decimals === '' ? '' : `.${decimals}`}`
}

/** Returns the quotient, rounded half up. The dividend is at least zero, the divisor greater. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

/** Parses an amount to hundredths. */
export const parseAmount = (amount: string): bigint => parseDecimal(amount, amountDigits)
export const formatAmount = (amount: bigint): string => formatDecimal(amount, amountDigits.decimals)

/** The total of a line or a proposal is out of range. */
export class TotalError extends RangeError {
  /** Field of the line that causes the error, if it is a single one. */
  readonly part: 'discount' | undefined

  constructor(message: string, part?: 'discount') {
    super(message)
    this.name = 'TotalError'
    this.part = part
  }
}

/** The decimals that determine the total of a line. */
export interface PricedLine {
  quantity: string
  unitPrice: string
  discount: string
  taxRate: string
}

/**
 * Returns the gross total of a line in hundredths: (quantity × unitPrice − discount) × (1 + taxRate / 100), calculated exactly
 * and rounded half up once.
 * @throws TotalError if the discount exceeds the price, or the total exceeds the maximum amount
 * @throws RangeError if a part is not a decimal or has too many digits
 */
export function lineTotal({ quantity, unitPrice, discount, taxRate }: PricedLine): bigint {
  const scale = unitOf(quantityDigits.decimals)
  const net = parseDecimal(quantity, quantityDigits) * parseAmount(unitPrice) - parseAmount(discount) * scale
  if (net < 0n) throw new TotalError('discount is more than quantity times unitPrice', 'discount')
  return bounded(divideHalfUp(net * (wholeTaxRate + parseDecimal(taxRate, taxRateDigits)), wholeTaxRate * scale))
}

/**
 * Returns the sum of the rounded line totals without optional lines, so that adding them up by hand gives the same result.
 * @param total returns the total of a line in hundredths; called for lines that count
 * @throws TotalError if the sum exceeds the maximum amount
 */
export const totalOf = <Line extends { optional: boolean }>(lines: readonly Line[], total: (line: Line) => bigint): bigint =>
  bounded(lines.filter(({ optional }) => !optional).reduce((sum, line) => sum + total(line), 0n))

function bounded(total: bigint): bigint {
  if (total > maxAmount) throw new TotalError(`the total is more than ${formatAmount(maxAmount)}`)
  return total
}
