import type { CreateProposal, Proposal } from '@groundwork/api'
import { formatMoney, parseMoney, shortestDecimal, TotalError, type PricedOffer } from '@groundwork/api/money'
import { AppError } from '../lib/errors.ts'
import { lineOf, priceItems, type Line } from './totals.ts'

/** The version of proposals that this program prices. */
export const contentVersion = 2

export interface PriceInput extends Omit<PricedOffer, 'items'> {
  /** Null for an offer without lines. */
  readonly lines: readonly Line[] | null
  readonly totalAmount: string | undefined
}

type Figures = 'totalAmount' | 'pricesIncludeTax' | 'discount' | 'discountPercent' | 'contentVersion'
type Totals = { [Name in 'subtotal' | 'discountTotal' | 'taxes' | 'taxTotal']: NonNullable<Proposal[Name]> }

export interface Price extends Pick<Proposal, Figures>, Totals {
  /** Null for an offer without lines. */
  items: Proposal['items'] | null
}

/**
 * Returns the figures of a new proposal.
 * @throws AppError `validation_error`, as `priceOf`
 */
export function newPrice(
  input: Pick<CreateProposal, 'items' | 'totalAmount' | 'pricesIncludeTax' | 'discount' | 'discountPercent'>,
  currency: string,
): Price {
  const { items, totalAmount, pricesIncludeTax = false, discount = null, discountPercent = null } = input
  return priceOf({ lines: items?.map(lineOf) ?? null, totalAmount, pricesIncludeTax, discount, discountPercent, currency })
}

/**
 * Returns the figures of an offer: the totals of its lines, or the given amount without lines.
 * @throws AppError `validation_error` with the field if neither is given, the two disagree, or the lines have no valid total
 */
export function priceOf({ lines, totalAmount, pricesIncludeTax, discount, discountPercent, currency }: PriceInput): Price {
  const given = totalAmount === undefined ? null : normalAmount(totalAmount, currency, 'totalAmount')
  const terms = {
    pricesIncludeTax,
    discount: discount === null ? null : normalAmount(discount, currency, 'discount'),
    discountPercent: discountPercent === null ? null : shortestDecimal(discountPercent),
  }
  if (terms.discount !== null && terms.discountPercent !== null)
    throw new AppError('validation_error', 'discountPercent cannot be combined with discount', { field: 'discountPercent' })
  if (lines === null) {
    if (given === null) throw new AppError('validation_error', 'totalAmount is required unless items are given', { field: 'totalAmount' })
    requireLines(terms)
    return {
      ...terms,
      items: null,
      subtotal: given,
      discountTotal: '0.00',
      taxes: [],
      taxTotal: '0.00',
      totalAmount: given,
      contentVersion,
    }
  }
  const { items, totals } = priceItems({ ...terms, currency }, lines)
  const { subtotal, discountTotal, taxes, taxTotal, totalAmount: total } = totals
  if (given !== null && given !== total) {
    throw new AppError('validation_error', `totalAmount is ${given}, but the sum of the items is ${total}`, { field: 'totalAmount' })
  }
  return { ...terms, items, subtotal, discountTotal, taxes: [...taxes], taxTotal, totalAmount: total, contentVersion }
}

function requireLines({ discount, discountPercent }: { discount: string | null; discountPercent: string | null }): void {
  const field = discount !== null ? 'discount' : discountPercent !== null ? 'discountPercent' : undefined
  if (field !== undefined) throw new AppError('validation_error', `${field} is only allowed together with items`, { field })
}

function normalAmount(amount: string, currency: string, field: string): string {
  try {
    return formatMoney(parseMoney(amount, currency, field), currency)
  } catch (error) {
    if (!(error instanceof TotalError)) throw error
    throw new AppError('validation_error', error.message, { field: error.field })
  }
}
