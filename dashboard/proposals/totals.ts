import { parseAmount, totalsOf, type OfferLine, type OfferTotals, type TaxRate } from '@groundwork/api/money'

/** A line item as typed. Its numbers may still be incomplete. */
export interface TypedItem extends Pick<OfferLine, 'optional' | 'preselected' | 'quantityRange'> {
  description: string
  quantity: string
  unitPrice: string
  /** An amount such as `50.00`, or a percentage such as `10%`. */
  discount: string
  taxes: readonly TypedTax[]
  /** Empty for a line that is no alternative. */
  group: string
}

export interface TypedTax {
  /** Empty for the short form without a name. */
  name: string
  /** Per cent. */
  rate: string
}

/** The typed values that determine the totals. */
export interface TypedOffer {
  items: readonly TypedItem[]
  pricesIncludeTax: boolean
  /** Discount on the whole, in the same form as that of a line. */
  discount: string
  /** Empty while it is unknown. */
  currency: string
}

/** Returns the fields of a discount: a percentage if the text ends with a percent sign, otherwise an amount. */
export function discountOf(typed: string): { discount: string | null; discountPercent: string | null } {
  const text = typed.trim()
  if (text === '') return { discount: null, discountPercent: null }
  return text.endsWith('%') ? { discount: null, discountPercent: text.slice(0, -1).trim() } : { discount: text, discountPercent: null }
}

/** Returns the text of a discount, as `discountOf` reads it. An amount of zero is empty. */
export const typedDiscount = (discount: string | null, discountPercent: string | null): string =>
  discountPercent === null ? (discount === '0.00' ? '' : (discount ?? '')) : `${discountPercent}%`

/** Returns the taxes of a line. Rows without name and rate are ignored, and so are percent signs. */
export const taxesOf = (typed: readonly TypedTax[]): TaxRate[] =>
  typed
    .map(({ name, rate }) => ({ name: name.trim(), rate: rate.replace('%', '').trim() }))
    .filter(({ name, rate }) => name !== '' || rate !== '')
    .map(({ name, rate }) => ({ name: name === '' ? null : name, rate }))

/** Returns the rows of taxes, as `taxesOf` reads them. */
export const typedTaxes = (taxes: readonly TaxRate[]): TypedTax[] => taxes.map(({ name, rate }) => ({ name: name ?? '', rate }))

/** Returns taxes as a text such as `19` or `GST 5 + QST 9.975`. */
export const taxText = (taxes: readonly TaxRate[]): string =>
  taxes.map(({ name, rate }) => (name === null ? rate : `${name} ${rate}`)).join(' + ')

/** Returns the totals, or undefined if a value is not a decimal number or a discount is too large. */
export const totalsOfTyped = ({ items, currency, pricesIncludeTax, discount }: TypedOffer): OfferTotals | undefined =>
  orUndefined(() => totalsOf({ currency, pricesIncludeTax, ...discountOf(discount), items: items.map(lineOf) }))

/** Returns the amount of a line item without tax, or with tax if prices include it; undefined while it is incomplete. */
export function amountOfLine(item: TypedItem, currency: string, pricesIncludeTax: boolean): string | undefined {
  const offer = { currency, pricesIncludeTax, discount: '', items: [{ ...item, optional: false }] }
  const totals = totalsOfTyped(offer)
  return pricesIncludeTax ? totals?.totalAmount : totals?.subtotal
}

/** Returns the group of a line; null without one. Only optional lines are alternatives. */
export const groupOf = ({ optional, group }: Pick<TypedItem, 'optional' | 'group'>): string | null =>
  optional && group.trim() !== '' ? group.trim() : null

/** Returns the amount in hundredths, or undefined while it is incomplete. */
export const typedAmount = (text: string): bigint | undefined => orUndefined(() => parseAmount(text.trim()))

function lineOf({ quantity, unitPrice, discount, taxes, optional, preselected, group, quantityRange }: TypedItem): OfferLine {
  const { discount: amount, discountPercent } = discountOf(discount)
  return {
    quantity: quantity.trim(),
    unitPrice: unitPrice.trim(),
    discount: amount ?? '0',
    discountPercent,
    taxes: taxesOf(taxes),
    optional,
    preselected,
    group: groupOf({ optional, group }),
    quantityRange,
  }
}

function orUndefined<T>(value: () => T): T | undefined {
  try {
    return value()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
