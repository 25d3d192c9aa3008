import type { ProposalItem, ProposalItemInput } from '@groundwork/api'
import { formatAmount, lineTotal, parseAmount, shortestDecimal, TotalError, totalOf } from '@groundwork/api/money'
import { AppError } from '../lib/errors.ts'

/**
 * The line as it is offered, with its total.
 * @param field where the line stands in the request, such as `items.0`
 * @throws AppError `validation_error` when the discount exceeds the price or the total exceeds what an amount can be
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
    total: reckoned(field, () => lineTotal({ quantity, unitPrice, discount, taxRate })),
  }
}

/**
 * What the lines come to together.
 * @throws AppError `validation_error` when it exceeds what an amount can be
 */
export const sumOf = (items: readonly ProposalItem[]): string => reckoned('items', () => totalOf(items, ({ total }) => parseAmount(total)))

function reckoned(field: string, total: () => bigint): string {
  try {
    return formatAmount(total())
  } catch (error) {
    if (!(error instanceof TotalError)) throw error
    throw new AppError('validation_error', error.message, { field: error.part === undefined ? field : `${field}.${error.part}` })
  }
}
