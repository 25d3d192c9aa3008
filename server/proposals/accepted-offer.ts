import type { Proposal } from '@groundwork/api'
import { acceptedLines, ChoiceError, chosenQuantities, type ChosenLine, type Choices } from '@groundwork/api/choices'
import { totalsOf } from '@groundwork/api/money'
import { AppError } from '../lib/errors.ts'
import type { Offer } from './content-hash.ts'

type Totals = Pick<Proposal, 'subtotal' | 'discountTotal' | 'taxes' | 'taxTotal' | 'totalAmount'>

export interface AcceptedOffer extends Totals {
  /** All lines that the recipient accepts, in their order: the canonical form of the choices. */
  readonly lines: readonly ChosenLine[]
}

/**
 * Returns the lines and the totals that the recipient accepts. Without a change by the recipient, the totals are the stored ones.
 * Options of a proposal of version 1 cannot be chosen.
 * @throws AppError `validation_error`, field `choices`, if the proposal does not offer the choices, no line of a group is chosen, or
 * no line is left
 */
export function acceptedOffer(offer: Offer, choices: Choices = {}): AcceptedOffer {
  const { items, contentVersion } = offer
  if (contentVersion === 1 && ((choices.lines?.length ?? 0) > 0 || Object.keys(choices.quantities ?? {}).length > 0))
    throw refusal('The options of this proposal cannot be chosen.')
  try {
    const lines = acceptedLines(items, choices)
    const chosen = chosenQuantities(items, choices)
    const isChanged = chosen.some((quantity, line) => quantity !== chosenQuantities(items, {})[line])
    const { subtotal, discountTotal, taxes, taxTotal, totalAmount } = isChanged && contentVersion !== 1 ? totalsOf(offer, chosen) : offer
    return { lines, subtotal, discountTotal, taxes: taxes === null ? null : [...taxes], taxTotal, totalAmount }
  } catch (error) {
    if (error instanceof ChoiceError || error instanceof RangeError) throw refusal(error.message)
    throw error
  }
}

const refusal = (message: string): AppError => new AppError('validation_error', message, { field: 'choices' })
