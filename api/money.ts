/**
 * The arithmetic of proposals. The API, the public page, the PDF, mails and the dashboard use this file, so they show the same
 * figures. It imports nothing, to keep the validation library out of browsers. docs/money.md states the rules.
 *
 * A decimal is a scaled integer: a bigint that counts units of 10^-decimals. No value is ever a float, so nothing is lost to
 * rounding. Inside, amounts count the smallest unit of their currency; outside, they are decimal strings with two decimals.
 */

/** Maximum numbers of digits before and after the decimal point. */
export interface Digits {
  whole: number
  decimals: number
}

export const amountDigits: Digits = { whole: 12, decimals: 2 }
export const unitPriceDigits: Digits = { whole: 12, decimals: 6 }
export const quantityDigits: Digits = { whole: 9, decimals: 3 }
/** Per cent. */
export const taxRateDigits: Digits = { whole: 3, decimals: 4 }

const unitOf = (decimals: number): bigint => 10n ** BigInt(decimals)
const maxAmount = unitOf(amountDigits.whole + amountDigits.decimals) - 1n
/** A rate of 19 % is 190000n, and 100 % is this. */
const wholeRate = 100n * unitOf(taxRateDigits.decimals)

/** Matches a decimal within these limits. */
export const decimalPattern = ({ whole, decimals }: Digits): RegExp =>
  new RegExp(`^\\d{1,${whole}}${decimals === 0 ? '' : `(\\.\\d{1,${decimals}})?`}$`)

/** Matches a percentage from 0 to 100 with at most four decimals. */
export const percentPattern = /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/

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

/** Returns the shortest form of a unit price with at least two decimals: "7" is "7.00", "0.3350" is "0.335". */
export function formatUnitPrice(unitPrice: string): string {
  const [whole = '', fraction = ''] = shortestDecimal(unitPrice).split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

/** Returns the quotient, rounded half up. The dividend is at least zero, the divisor greater. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

/** Returns the quotient, rounded half down. The dividend is at least zero, the divisor greater. */
const divideHalfDown = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor - 1n) / (2n * divisor)

/** Parses an amount to hundredths. */
export const parseAmount = (amount: string): bigint => parseDecimal(amount, amountDigits)
export const formatAmount = (amount: bigint): string => formatDecimal(amount, amountDigits.decimals)

/** Currencies whose smallest unit is not a hundredth (ISO 4217). The list of the runtime varies with its version. */
export const currenciesWithoutDecimals: readonly string[] = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' ')
const currenciesWithThreeDecimals: readonly string[] = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

/** Returns the number of decimals with which amounts in the currency are displayed: 0 for JPY, 3 for KWD, 2 for most. */
export function currencyDecimals(currency: string): number {
  if (currenciesWithoutDecimals.includes(currency)) return 0
  return currenciesWithThreeDecimals.includes(currency) ? 3 : 2
}

/**
 * Returns the options of `Intl.NumberFormat` that show an amount or a unit price with all its decimals, and at least those of the
 * currency. The runtime's own number of decimals varies: some versions round HUF to whole numbers.
 */
export function fractionDigits(amount: string, currency: string): { minimumFractionDigits: number; maximumFractionDigits: number } {
  const minimumFractionDigits = currencyDecimals(currency)
  const { length } = shortestDecimal(amount).split('.')[1] ?? ''
  return { minimumFractionDigits, maximumFractionDigits: Math.max(minimumFractionDigits, length) }
}

/** Returns the smallest step of amounts in hundredths. Amounts have two decimals, so that of KWD is 0.01 and not 0.001. */
const amountStep = (currency: string): bigint => (currenciesWithoutDecimals.includes(currency) ? 100n : 1n)

/** A field of an offer has a value that leads to no valid total. */
export class TotalError extends RangeError {
  /** Path of the field, such as `items.0.discount`. */
  readonly field: string

  constructor(message: string, field: string) {
    super(message)
    this.name = 'TotalError'
    this.field = field
  }
}

/**
 * Parses an amount to units of the currency: hundredths, or whole yen.
 * @throws TotalError if the currency has no such amount
 */
export function parseMoney(amount: string, currency: string, field: string): bigint {
  const [hundredths, step] = [parseAmount(amount), amountStep(currency)]
  if (hundredths % step === 0n) return hundredths / step
  throw new TotalError(`${currency} has no decimals, so ${amount} is not an amount. Use a whole number such as 100.00.`, field)
}

export const formatMoney = (units: bigint, currency: string): string => formatAmount(units * amountStep(currency))

/** A tax of a line. */
export interface TaxRate {
  /** Null for the short form `taxRate`. */
  readonly name: string | null
  /** Per cent. */
  readonly rate: string
}

/** The decimals that determine the total of a line. `discountPercent` takes precedence over `discount`. */
export interface PricedLine {
  readonly quantity: string
  readonly unitPrice: string
  readonly discount: string
  readonly discountPercent: string | null
  readonly taxes: readonly TaxRate[]
}

export interface QuantityRange {
  readonly min: string
  readonly max: string
  readonly step: string
}

/** A line that counts always, or if the recipient chooses it. */
export interface OfferLine extends PricedLine {
  readonly optional: boolean
  readonly preselected: boolean
  /** Name of a group of alternatives. */
  readonly group: string | null
  /** Bounds within which the recipient may change the quantity. */
  readonly quantityRange: QuantityRange | null
}

/** The fields of a proposal that determine its totals. `discountPercent` takes precedence over `discount`. */
export interface PricedOffer {
  readonly currency: string
  readonly pricesIncludeTax: boolean
  readonly discount: string | null
  readonly discountPercent: string | null
  readonly items: readonly OfferLine[]
}

export interface LineTotals {
  /** Discount of the line, in the prices of the offer. */
  readonly discount: string
  /** Without tax, after the discount of the line. */
  readonly net: string
  /** With tax, after the discount of the line. */
  readonly total: string
}

export interface TaxTotal extends TaxRate {
  /** The net amount that is taxed. */
  readonly base: string
  readonly amount: string
}

/** subtotal − discountTotal + taxTotal = totalAmount. All amounts have two decimals. */
export interface OfferTotals {
  /** One for each line, also for lines that do not count. */
  readonly items: readonly LineTotals[]
  /** Sum of the net amounts of the lines that count. */
  readonly subtotal: string
  /** Discount on the whole, without tax. */
  readonly discountTotal: string
  /** By name and rate. */
  readonly taxes: readonly TaxTotal[]
  readonly taxTotal: string
  readonly totalAmount: string
}

/** Returns whether the line counts unless the recipient chooses otherwise. */
export const countsByDefault = ({ optional, preselected }: Pick<OfferLine, 'optional' | 'preselected'>): boolean => !optional || preselected

/**
 * Returns the totals of the lines that count by default, or of chosen ones.
 *
 * Each line is rounded once. The discount on the whole is divided between lines with different taxes in proportion to their
 * amounts. Each tax is calculated once on the sum of its lines and rounded half up (EN 16931). If prices include tax, the total is
 * the sum of the lines, and net amounts are the rest.
 * @param quantities by line: null if it does not count. With chosen quantities, discounts are limited to the price that is left.
 * @throws TotalError if a discount exceeds the price, the currency has no such amount, or a total exceeds the maximum amount
 * @throws RangeError if a part is not a decimal or has too many digits
 */
export function totalsOf(offer: PricedOffer, quantities?: readonly (string | null)[]): OfferTotals {
  const { currency, pricesIncludeTax } = offer
  const format = (units: bigint): string => formatMoney(units, currency)
  const counts = (line: OfferLine, index: number): boolean =>
    quantities === undefined ? countsByDefault(line) : (quantities[index] ?? null) !== null
  const lines = offer.items.map((item, index) => ({
    ...lineAmounts(item, quantities?.[index] ?? item.quantity, quantities !== undefined, `items.${index}`, offer),
    rate: rateOf(item.taxes),
    group: groupKey(item.taxes),
    counts: counts(item, index),
  }))
  const counted = lines.filter((line) => line.counts)
  const groups = taxGroups(offer, counted)
  const sum = groups.reduce((total, { amount }) => total + amount, 0n)
  const discount = discountOn(sum, offer, quantities !== undefined || offer.items.some(isChoice))
  const shares = spread(
    discount,
    groups.map(({ amount }) => amount),
  )
  const charged = groups.map((group, index) => ({ ...group, amount: group.amount - (shares[index] ?? 0n) }))
  const taxes = pricesIncludeTax ? includedTaxes(charged) : addedTaxes(charged)
  const taxTotal = taxes.reduce((total, { amount }) => total + amount, 0n)
  const total = sum - discount + (pricesIncludeTax ? 0n : taxTotal)
  const discountTotal = pricesIncludeTax ? netOf(groups.map(({ rate }, index) => ({ rate, amount: shares[index] ?? 0n }))) : discount
  const subtotal = total - taxTotal + discountTotal
  const nets = pricesIncludeTax ? spreadNets(subtotal, counted) : counted.map(({ amount }) => amount)
  let next = 0
  const items = lines.map((line, index) => {
    const { amount, rate } = line
    const net = line.counts ? (nets[next++] ?? 0n) : pricesIncludeTax ? divideHalfUp(amount * wholeRate, wholeRate + rate) : amount
    const gross = pricesIncludeTax ? amount : divideHalfUp(amount * (wholeRate + rate), wholeRate)
    return { discount: format(line.discount), net: format(net), total: format(bounded(gross, currency, `items.${index}`)) }
  })
  return {
    items,
    subtotal: format(bounded(subtotal, currency, 'items')),
    discountTotal: format(discountTotal),
    taxes: taxes.map(({ name, rate, base, amount }) => ({ name, rate, base: format(base), amount: format(amount) })),
    taxTotal: format(taxTotal),
    totalAmount: format(bounded(total, currency, 'items')),
  }
}

const isChoice = ({ optional, quantityRange }: OfferLine): boolean => optional || quantityRange !== null

function bounded(units: bigint, currency: string, field: string): bigint {
  if (units * amountStep(currency) > maxAmount) throw new TotalError(`The total is more than ${formatAmount(maxAmount)}.`, field)
  return units
}

/** Returns the discount of a line and its amount after the discount, in units of the currency and in the prices of the offer. */
function lineAmounts(
  { unitPrice, discount, discountPercent }: PricedLine,
  quantity: string,
  isLimited: boolean,
  field: string,
  { currency }: PricedOffer,
): { discount: bigint; amount: bigint } {
  const scale = unitOf(quantityDigits.decimals + unitPriceDigits.decimals - amountDigits.decimals) * amountStep(currency)
  const exact = parseDecimal(quantity, quantityDigits) * parseDecimal(unitPrice, unitPriceDigits)
  const price = divideHalfUp(exact, scale)
  if (discountPercent !== null) {
    const percentage = divideHalfUp(exact * parsePercent(discountPercent), scale * wholeRate)
    return { discount: percentage, amount: bounded(price, currency, field) - percentage }
  }
  const given = parseMoney(discount, currency, `${field}.discount`)
  if (given > price && !isLimited) throw new TotalError('The discount is more than quantity times unitPrice.', `${field}.discount`)
  const taken = given > price ? price : given
  return { discount: taken, amount: price - taken }
}

function discountOn(sum: bigint, { discount, discountPercent, currency }: PricedOffer, isLimited: boolean): bigint {
  if (discountPercent !== null) return divideHalfUp(sum * parsePercent(discountPercent), wholeRate)
  const given = parseMoney(discount ?? '0', currency, 'discount')
  if (given > sum && !isLimited) throw new TotalError('The discount is more than the sum of the items.', 'discount')
  return given > sum ? sum : given
}

function parsePercent(percent: string): bigint {
  if (!percentPattern.test(percent)) throw new RangeError(`not a percentage from 0 to 100: ${percent}`)
  return parseDecimal(percent, taxRateDigits)
}

const parseRate = (rate: string): bigint => parseDecimal(rate, taxRateDigits)
const rateOf = (taxes: readonly TaxRate[]): bigint => taxes.reduce((sum, { rate }) => sum + parseRate(rate), 0n)

/** Returns the combined rate of a line in per cent: "14.975" for 5 % and 9.975 %. */
export const combinedRate = (taxes: readonly TaxRate[]): string => shortestDecimal(formatDecimal(rateOf(taxes), taxRateDigits.decimals))

const taxKey = ({ name, rate }: TaxRate): string => JSON.stringify([name, shortestDecimal(rate)])
const groupKey = (taxes: readonly TaxRate[]): string => taxes.map(taxKey).toSorted().join()

interface Amount {
  readonly amount: bigint
  /** Sum of all tax rates. */
  readonly rate: bigint
}

/** All lines with the same taxes. */
interface TaxGroup extends Amount {
  readonly taxes: readonly TaxRate[]
}

/** Returns the groups in an order that does not depend on that of the lines, so neither do the totals. */
function taxGroups(
  { items }: PricedOffer,
  counted: readonly { readonly group: string; readonly amount: bigint; readonly rate: bigint }[],
): TaxGroup[] {
  const taxesOf = new Map(items.map(({ taxes }) => [groupKey(taxes), taxes]))
  const amounts = new Map<string, bigint>()
  const rates = new Map<string, bigint>()
  for (const { group, amount, rate } of counted) {
    amounts.set(group, (amounts.get(group) ?? 0n) + amount)
    rates.set(group, rate)
  }
  return [...amounts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, amount]) => ({ amount, rate: rates.get(key) ?? 0n, taxes: taxesOf.get(key) ?? [] }))
}

interface TaxUnits extends TaxRate {
  readonly base: bigint
  readonly amount: bigint
}

/** Returns the groups of each tax, ordered by name and rate. A tax without a name comes first. */
function byTax(groups: readonly TaxGroup[]): { name: string | null; rate: string; groups: TaxGroup[] }[] {
  const found = new Map<string, { name: string | null; rate: string; groups: TaxGroup[] }>()
  for (const group of groups) {
    for (const tax of group.taxes) {
      const entry = found.get(taxKey(tax)) ?? { name: tax.name, rate: shortestDecimal(tax.rate), groups: [] }
      entry.groups.push(group)
      found.set(taxKey(tax), entry)
    }
  }
  return [...found.values()].toSorted((a, b) => {
    if (a.name === b.name) return parseRate(a.rate) < parseRate(b.rate) ? -1 : 1
    return (a.name ?? '') < (b.name ?? '') ? -1 : 1
  })
}

function addedTaxes(groups: readonly TaxGroup[]): TaxUnits[] {
  return byTax(groups).map(({ name, rate, groups: taxed }) => {
    const base = taxed.reduce((sum, { amount }) => sum + amount, 0n)
    return { name, rate, base, amount: divideHalfUp(base * parseRate(rate), wholeRate) }
  })
}

/** Returns the exact net amounts of amounts with tax, as numerators over a common denominator. */
function exactNets(groups: readonly Amount[]): { nets: bigint[]; denominator: bigint } {
  const denominator = [...new Set(groups.map(({ rate }) => wholeRate + rate))].reduce((product, factor) => product * factor, 1n)
  return { nets: groups.map(({ amount, rate }) => amount * wholeRate * (denominator / (wholeRate + rate))), denominator }
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)

/** Returns the net amount of amounts with tax, rounded half up. */
function netOf(amounts: readonly Amount[]): bigint {
  const { nets, denominator } = exactNets(amounts)
  return divideHalfUp(sumOf(nets), denominator)
}

/**
 * Returns the taxes that amounts with tax contain. A base is rounded half down, because its tax is rounded half up: together, they
 * are the amount of a line with a single tax.
 */
function includedTaxes(groups: readonly TaxGroup[]): TaxUnits[] {
  const { nets, denominator } = exactNets(groups)
  const exact = byTax(groups).map(({ name, rate, groups: taxed }) => {
    const base = sumOf(taxed.map((group) => nets[groups.indexOf(group)] ?? 0n))
    return { name, rate, base, tax: base * parseRate(rate) }
  })
  const rounded = exact.map(({ tax }) => divideHalfUp(tax, denominator * wholeRate))
  // Several taxes of more than 50 % on a few cents can round to more than the total.
  const total = sumOf(groups.map(({ amount }) => amount))
  const amounts =
    sumOf(rounded) <= total
      ? rounded
      : spread(
          total,
          exact.map(({ tax }) => tax),
        )
  return exact.map(({ name, rate, base }, index) => ({
    name,
    rate,
    base: divideHalfDown(base, denominator),
    amount: amounts[index] ?? 0n,
  }))
}

/** Divides the subtotal between lines with tax in proportion to their net amounts. */
function spreadNets(subtotal: bigint, lines: readonly Amount[]): bigint[] {
  return spread(subtotal, exactNets(lines).nets)
}

/**
 * Divides a total in proportion to weights, exactly: each share is rounded down, and the units that are left go to the shares with
 * the largest remainders, the first one of equals. Returns zeros if all weights are zero.
 */
export function spread(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = sumOf(weights)
  if (whole === 0n) return weights.map(() => 0n)
  const shares = weights.map((weight) => (total * weight) / whole)
  const left = Number(total - sumOf(shares))
  const remainders = weights.map((weight, index) => ({ index, remainder: (total * weight) % whole }))
  const first = remainders.toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
  for (const { index } of first.slice(0, left)) shares[index] = (shares[index] ?? 0n) + 1n
  return shares
}
