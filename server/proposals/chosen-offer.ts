import { acceptedLines, ChoiceError, chosenFigures, chosenQuantities, type Choices } from '@groundwork/api/choices'
import { AppError } from '../lib/errors.ts'
import type { Offer } from './content-hash.ts'

/**
 * Returns the offer as the recipient chose it: chosen options are preselected, changed quantities are set, and the totals are those
 * of the chosen lines. Without a change by the recipient, it is the offer itself, with its stored figures.
 * @throws AppError `validation_error`, field `choices`, if the proposal does not offer the choices, or the total exceeds the maximum
 */
export function chosenOffer(offer: Offer, choices: Choices): Offer {
  const quantities = orRefuse(() => chosenQuantities(offer.items, choices))
  const usual = chosenQuantities(offer.items, {})
  if (quantities.every((quantity, line) => quantity === usual[line])) return offer
  // Totals of version 1 have other rules, and its recipients saw options without a choice.
  if (offer.contentVersion === 1) throw refusal('The options of this proposal cannot be chosen.')
  const { taxes, items, ...totals } = orRefuse(() => chosenFigures(offer, quantities))
  return { ...offer, ...totals, taxes: [...taxes], items: [...items] }
}

/**
 * Requires that an offer can be accepted as it is.
 * @throws AppError `validation_error`, field `choices`, if no line of a group is chosen, or no line is left
 */
export function requireAcceptable({ items }: Offer): void {
  orRefuse(() => acceptedLines(items))
}

function orRefuse<T>(value: () => T): T {
  try {
    return value()
  } catch (error) {
    if (error instanceof ChoiceError || error instanceof RangeError) throw refusal(error.message)
    throw error
  }
}

const refusal = (message: string): AppError => new AppError('validation_error', message, { field: 'choices' })
