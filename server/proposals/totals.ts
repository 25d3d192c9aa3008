import type { ProposalItem, ProposalItemInput } from '@groundwork/api'
import { formatAmount, lineTotal, parseAmount, shortestDecimal, TotalError, totalOf } from '@groundwork/api/money'
import { AppError } from '../lib/errors.ts'

/**
 * Returns a line item with its total.
 * @param field the position of the line item in the request, such as `items.0`
 * @throws AppError `validation_error` if the discount exceeds the price or the total exceeds the maximum amount
 */
export function priceItem(item: ProposalItemInput, field: string): ProposalItem {
  const { description, quantity, unitPrice, discount = '0', taxRate = '0', optional } = item
  return {
    description,
    quantity: shortestDecimal(quantity),
    unitPrice: formatAmount(parseAmount(unitPrice)),
    discount: formatAmount(parseAmount(discount)),
    taxRate: shortestDecimal(taxRate),
    optional,
    total: formatTotal(field, () => lineTotal({ quantity, unitPrice, discount, taxRate })),
  }
}

/**
 * Returns the sum of the line items.
 * @throws AppError `validation_error` if it exceeds the maximum amount
 */
export const sumOf = (items: readonly ProposalItem[]): string =>
  formatTotal('items', () => totalOf(items, ({ total }) => parseAmount(total)))

function formatTotal(field: string, total: () => bigint): string {
  try {
    return formatAmount(total())
  } catch (error) {
    if (!(error instanceof TotalError)) throw error
    throw new AppError('validation_error', error.message, { field: error.part === undefined ? field : `${field}.${error.part}` })
  }
}
