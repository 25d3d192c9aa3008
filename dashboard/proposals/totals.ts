import { lineTotal, parseAmount, type PricedLine, totalOf } from '@groundwork/api/money'

/** A line as it is typed: decimals, or what is not one yet. */
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

/** In hundredths; undefined while something in the line is no decimal or the discount too large. */
export const totalOfLine = (item: TypedItem): bigint | undefined => known(() => typedTotal(item))

/** The sum of the lines that are not optional; undefined while one of them has no total. */
export const totalOfLines = (items: readonly TypedItem[]): bigint | undefined => known(() => totalOf(items, typedTotal))

export const typedAmount = (text: string): bigint | undefined => known(() => parseAmount(text.trim()))

function known(total: () => bigint): bigint | undefined {
  try {
    return total()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
