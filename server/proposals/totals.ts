import type { ProposalItem, ProposalItemInput } from '@groundwork/api'
import { isInRange } from '@groundwork/api/choices'
import {
  combinedRate,
  formatAmount,
  formatUnitPrice,
  parseAmount,
  parseDecimal,
  quantityDigits,
  shortestDecimal,
  TotalError,
  totalsOf,
  type OfferLine,
  type OfferTotals,
  type PricedOffer,
} from '@groundwork/api/money'
import { AppError } from '../lib/errors.ts'

/** A line without its totals. */
export interface Line extends OfferLine {
  readonly description: string
}

export interface PricedItems {
  items: ProposalItem[]
  totals: OfferTotals
}

/** Returns the line in its normal form: decimals without needless digits, `taxRate` as a tax without a name. */
export function lineOf(item: ProposalItemInput): Line {
  const { description, quantity, unitPrice, discount, discountPercent, taxRate = '0', preselected, group, quantityRange } = item
  const taxes = item.taxes ?? (shortestDecimal(taxRate) === '0' ? [] : [{ name: null, rate: taxRate }])
  return {
    description,
    quantity: shortestDecimal(quantity),
    unitPrice: formatUnitPrice(unitPrice),
    discount: formatAmount(parseAmount(discount ?? '0')),
    discountPercent: discountPercent === undefined ? null : shortestDecimal(discountPercent),
    taxes: taxes.map(({ name, rate }) => ({ name, rate: shortestDecimal(rate) })),
    optional: item.optional || group !== undefined,
    preselected,
    group: group ?? null,
    quantityRange: quantityRange === undefined ? null : rangeOf(quantityRange),
  }
}

const rangeOf = ({ min, max, step }: NonNullable<ProposalItemInput['quantityRange']>) => ({
  min: shortestDecimal(min),
  max: shortestDecimal(max),
  step: shortestDecimal(step),
})

/**
 * Returns the lines with their totals, and the totals of the offer.
 * @throws AppError `validation_error` with the field if lines contradict themselves, a discount exceeds the price, the currency has
 * no such amount, or a total exceeds the maximum amount
 */
export function priceItems(offer: Omit<PricedOffer, 'items'>, lines: readonly Line[]): PricedItems {
  for (const [index, line] of lines.entries()) checkLine(line, `items.${index}`)
  checkGroups(lines)
  const totals = orRefuse(() => totalsOf({ ...offer, items: lines }))
  const items = lines.map((line, index): ProposalItem => {
    const { discount = '', net = '', total = '' } = totals.items[index] ?? {}
    const { description, quantity, unitPrice, discountPercent, taxes, optional, preselected, group, quantityRange } = line
    return {
      description,
      quantity,
      unitPrice,
      discount,
      discountPercent,
      taxRate: combinedRate(taxes),
      taxes: taxes.map(({ name, rate }) => ({ name, rate })),
      optional,
      preselected,
      group,
      quantityRange,
      net,
      total,
    }
  })
  return { items, totals }
}

function orRefuse(totals: () => OfferTotals): OfferTotals {
  try {
    return totals()
  } catch (error) {
    if (!(error instanceof TotalError)) throw error
    throw refusal(error.message, error.field)
  }
}

const refusal = (message: string, field: string): AppError => new AppError('validation_error', message, { field })

function checkLine({ quantity, taxes, quantityRange }: Line, field: string): void {
  const names = taxes.map(({ name }) => name)
  const repeated = names.findIndex((name, index) => names.indexOf(name) !== index)
  if (repeated !== -1) throw refusal('Two taxes of a line have the same name.', `${field}.taxes.${repeated}.name`)
  if (quantityRange === null) return
  const { min, max, step } = quantityRange
  if (step === '0') throw refusal('The step must be more than 0.', `${field}.quantityRange.step`)
  if (parseDecimal(min, quantityDigits) > parseDecimal(max, quantityDigits))
    throw refusal('The smallest quantity is more than the largest one.', `${field}.quantityRange.max`)
  if (!isInRange(quantity, quantityRange))
    throw refusal(`The quantity must be from ${min} to ${max} in steps of ${step}.`, `${field}.quantity`)
}

function checkGroups(lines: readonly Line[]): void {
  const preselected = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (line.group === null || !line.preselected) continue
    if (preselected.has(line.group)) throw refusal('Another line of the group is preselected.', `items.${index}.preselected`)
    preselected.add(line.group)
  }
}
