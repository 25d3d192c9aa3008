import type { ProposalItem, ProposalItemInput } from '@groundwork/api'
import { AppError } from '../lib/errors.ts'
import { divideHalfUp, formatAmount, maxAmount, parseAmount, parseDecimal, shortestDecimal } from '../lib/money.ts'

const quantityDecimals = 3
const taxRateDecimals = 2
/** A tax rate of 19 % is 1900n, and 100 % is this. */
const wholeTaxRate = 100n * 10n ** BigInt(taxRateDecimals)

/**
 * The line as it is offered, with its total: (quantity × unitPrice − discount) × (1 + taxRate / 100). It is calculated
 * exactly and rounded once, to two decimals, a half upwards.
 * @param field where the line stands in the request, such as `items.0`
 * @throws AppError `validation_error` when the discount exceeds the price or the total exceeds what an amount can be
 */
export function priceItem(item: ProposalItemInput, field: string): ProposalItem {
  const quantity = parseDecimal(item.quantity, quantityDecimals)
  const discount = parseAmount(item.discount ?? '0')
  const scale = 10n ** BigInt(quantityDecimals)
  const net = quantity * parseAmount(item.unitPrice) - discount * scale
  if (net < 0n) throw new AppError('validation_error', 'discount is more than quantity times unitPrice', { field: `${field}.discount` })
  const gross = net * (wholeTaxRate + parseDecimal(item.taxRate ?? '0', taxRateDecimals))
  const total = divideHalfUp(gross, wholeTaxRate * scale)
  if (total > maxAmount) throw tooLarge(field)
  return {
    description: item.description,
    quantity: shortestDecimal(item.quantity),
    unitPrice: formatAmount(parseAmount(item.unitPrice)),
    discount: formatAmount(discount),
    taxRate: shortestDecimal(item.taxRate ?? '0'),
    optional: item.optional,
    total: formatAmount(total),
  }
}

/**
 * The sum of the rounded line totals, so that a reader who adds up the lines gets the same. Optional lines are left out.
 * @throws AppError `validation_error` when it exceeds what an amount can be
 */
export function totalOf(items: readonly ProposalItem[]): string {
  const total = items.filter((item) => !item.optional).reduce((sum, item) => sum + parseAmount(item.total), 0n)
  if (total > maxAmount) throw tooLarge('items')
  return formatAmount(total)
}

const tooLarge = (field: string): AppError =>
  new AppError('validation_error', `the total is more than ${formatAmount(maxAmount)}`, { field })
