import type { ProposalItem, ProposalItemInput } from '@groundwork/api'
import { formatAmount, parseAmount } from '@groundwork/api/money'
import { AppError } from '../lib/errors.ts'
import { priceItem, sumOf } from './totals.ts'

export interface Price {
  /** Null for an offer without line items. */
  items: ProposalItem[] | null
  totalAmount: string
}

/**
 * Returns the total: the sum of the line items, or the given amount without line items.
 * @throws AppError `validation_error`, field `totalAmount`, if neither is given or the two disagree
 */
export function priceOf(items: readonly ProposalItemInput[] | null, totalAmount: string | undefined): Price {
  const given = totalAmount === undefined ? null : formatAmount(parseAmount(totalAmount))
  if (items === null) {
    if (given === null) throw new AppError('validation_error', 'totalAmount is required unless items are given', { field: 'totalAmount' })
    return { items, totalAmount: given }
  }
  const priced = items.map((item, index) => priceItem(item, `items.${index}`))
  const total = sumOf(priced)
  if (given !== null && given !== total) {
    throw new AppError('validation_error', `totalAmount is ${given}, but the sum of the items is ${total}`, { field: 'totalAmount' })
  }
  return { items: priced, totalAmount: total }
}
