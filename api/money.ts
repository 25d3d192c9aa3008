/**
 * Amounts and other decimals as scaled integers, and what a line and a proposal come to. A scaled integer is a bigint
 * that counts units of 10^-decimals: nothing here is ever a float, so nothing is lost. The schemas, the service and the
 * pages reckon by this file. It imports nothing, so that a page which reckons does not bring a validator along.
 */

/** How many digits a decimal may have before its point and behind it. */
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

/** Digits, with a point and further digits or without. */
export const decimalPattern = ({ whole, decimals }: Digits): RegExp =>
  new RegExp(`^\\d{1,${whole}}${decimals === 0 ? '' : `(\\.\\d{1,${decimals}})?`}$`)

/**
 * "1200.5" with two decimals is 120050n.
 * @throws RangeError when the text is not a decimal, or has more digits than that
 */
export function parseDecimal(decimal: string, digits: Digits): bigint {
  if (!decimalPattern(digits).test(decimal)) throw new RangeError(`not a decimal of at most ${digits.decimals} decimals: ${decimal}`)
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(digits.decimals, '0'))
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

/** In hundredths. */
export const parseAmount = (amount: string): bigint => parseDecimal(amount, amountDigits)
export const formatAmount = (amount: bigint): string => formatDecimal(amount, amountDigits.decimals)

/** A line or a proposal that cannot be offered at what it comes to. */
export class TotalError extends RangeError {
  /** The part of the line that is to blame, where it is one. */
  readonly part: 'discount' | undefined

  constructor(message: string, part?: 'discount') {
    super(message)
    this.name = 'TotalError'
    this.part = part
  }
}

/** What a line of a proposal comes to depends on these; each is a decimal. */
export interface PricedLine {
  quantity: string
  unitPrice: string
  discount: string
  taxRate: string
}

/**
 * (quantity × unitPrice − discount) × (1 + taxRate / 100) in hundredths: calculated exactly and rounded once, a half
 * upwards.
 * @throws TotalError when the discount exceeds the price, or the total what an amount can be
 * @throws RangeError when a part is not a decimal, or has too many digits
 */
export function lineTotal({ quantity, unitPrice, discount, taxRate }: PricedLine): bigint {
  const scale = unitOf(quantityDigits.decimals)
  const net = parseDecimal(quantity, quantityDigits) * parseAmount(unitPrice) - parseAmount(discount) * scale
  if (net < 0n) throw new TotalError('discount is more than quantity times unitPrice', 'discount')
  return bounded(divideHalfUp(net * (wholeTaxRate + parseDecimal(taxRate, taxRateDigits)), wholeTaxRate * scale))
}

/**
 * The sum of the rounded lines, so that a reader who adds them up gets the same. Optional ones are left out.
 * @param total what a line comes to, in hundredths; asked of those that count
 * @throws TotalError when it exceeds what an amount can be
 */
export const totalOf = <Line extends { optional: boolean }>(lines: readonly Line[], total: (line: Line) => bigint): bigint =>
  bounded(lines.filter(({ optional }) => !optional).reduce((sum, line) => sum + total(line), 0n))

function bounded(total: bigint): bigint {
  if (total > maxAmount) throw new TotalError(`the total is more than ${formatAmount(maxAmount)}`)
  return total
}
