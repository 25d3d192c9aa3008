import { lineTotal, parseAmount, type PricedLine, totalOf } from '@groundwork/api/money'

/** A line item as typed. Its numbers may still be incomplete. */
export interface TypedItem extends PricedLine {
  description: string
  optional: boolean
}

const typedTotal = ({ quantity, unitPrice, discount, taxRate }: TypedItem): bigint =>
  lineTotal({
    quantity: quantity.trim(),
    unitPrice: unitPrice.trim(),
    discount: discount.trim() || '0',
    taxRate: taxRate.trim() || '0',
  })

/** Returns the total in hundredths, or undefined if a value is not a decimal number or the discount is too large. */
export const totalOfLine = (item: TypedItem): bigint | undefined => orUndefined(() => typedTotal(item))

/** Returns the sum of the line items that are not optional, or undefined if one of them has no total. */
export const totalOfLines = (items: readonly TypedItem[]): bigint | undefined => orUndefined(() => totalOf(items, typedTotal))

export const typedAmount = (text: string): bigint | undefined => orUndefined(() => parseAmount(text.trim()))

function orUndefined(total: () => bigint): bigint | undefined {
  try {
    return total()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
