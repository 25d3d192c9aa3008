/** A line as it is typed: decimals, or what is not one yet. */
export interface TypedItem {
  description: string
  quantity: string
  unitPrice: string
  discount: string
  taxRate: string
  optional: boolean
}

const quantityDecimals = 3
const rateDecimals = 2
/** 100 % of which a rate of 19 % is 1900n. */
const wholeRate = 10_000n
const maxCents = 99_999_999_999_999n

/** An exact decimal as a whole number of its last place; undefined for what is none, or has more places. */
export function scaled(text: string, wholeDigits: number, decimals: number): bigint | undefined {
  const match = new RegExp(`^(\\d{1,${wholeDigits}})(?:\\.(\\d{1,${decimals}}))?$`).exec(text.trim())
  return match === null ? undefined : BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(decimals, '0')}`)
}

const cents = (text: string): bigint | undefined => scaled(text, 12, 2)

/** `120000n` is `1200.00`. */
export const amountOf = (value: bigint): string => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`

/**
 * What a line comes to, as the service reckons it: (quantity × unitPrice − discount) × (1 + taxRate / 100), exactly, and
 * rounded once to two decimals, a half upwards. Undefined while something in it is no decimal or the discount too large.
 */
export function lineTotal({ quantity, unitPrice, discount, taxRate }: TypedItem): bigint | undefined {
  const [count, price] = [scaled(quantity, 9, quantityDecimals), cents(unitPrice)]
  const [off, rate] = [cents(discount.trim() === '' ? '0' : discount), scaled(taxRate.trim() === '' ? '0' : taxRate, 3, rateDecimals)]
  if (count === undefined || price === undefined || off === undefined || rate === undefined) return undefined
  const scale = 10n ** BigInt(quantityDecimals)
  const net = count * price - off * scale
  if (net < 0n) return undefined
  const divisor = wholeRate * scale
  const total = (net * (wholeRate + rate) * 2n + divisor) / (divisor * 2n)
  return total > maxCents ? undefined : total
}

/** The sum of the rounded lines, without those that are optional; undefined while one of them has no total. */
export function totalOf(items: readonly TypedItem[]): bigint | undefined {
  const totals = items.filter(({ optional }) => !optional).map(lineTotal)
  const sum = totals.reduce<bigint | undefined>(
    (before, total) => (before === undefined || total === undefined ? undefined : before + total),
    0n,
  )
  return sum === undefined || sum > maxCents ? undefined : sum
}
