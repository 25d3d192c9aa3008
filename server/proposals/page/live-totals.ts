import type { ProposalItem } from '@groundwork/api'
import { ChoiceError, chosenFigures, chosenQuantities } from '@groundwork/api/choices'
import { TotalError, type OfferLine, type PricedOffer } from '@groundwork/api/money'
import { amountFormat, numberFormat, percentFormat } from '../words/format.ts'
import { choicesOf } from './choices.ts'
import { detailSeparator, lineAmount, lineDetails, totalList, type FigureFormats, type FigureWords } from './figures.ts'

/**
 * The data with which the script of the page shows the totals of other choices. The script bundles this file, so that browser and
 * server calculate and write the same figures.
 */
export interface LiveOffer extends Omit<PricedOffer, 'items'> {
  /** BCP 47 tag of numbers. */
  readonly locale: string
  /** `taxOn` with the placeholders {name}, {rate} and {base}. */
  readonly words: Omit<FigureWords, 'taxOn'> & { readonly taxOn: string }
  /** The sentence that signers agree to, with `totalMark` in place of the total. */
  readonly consent: string
  readonly items: readonly OfferLine[]
}

/** A character of the private use area, which names do not contain. */
export const totalMark = '\uE000'

/** The texts of the page that depend on the choices. */
export interface LiveTotals {
  /** The total as a decimal string, which the form sends. */
  readonly totalAmount: string
  /** The total as it is shown. */
  readonly total: string
  /** HTML of the rows to the total. */
  readonly rows: string
  readonly lines: readonly { readonly details: string; readonly amount: string }[]
}

/** Returns the texts for the choices of a form; undefined while the form has a choice that the proposal does not offer. */
export function liveTotals(offer: LiveOffer, form: URLSearchParams): LiveTotals | undefined {
  const formats = formatsOf(offer)
  try {
    const { items, taxes, ...totals } = chosenFigures(offer, chosenQuantities(offer.items, choicesOf(form)))
    return {
      totalAmount: totals.totalAmount,
      total: formats.amount(totals.totalAmount),
      rows: totalList({ ...offer, ...totals, taxes }, formats).html,
      lines: items.map((item) => ({
        details: lineDetails({ ...item, taxes: [...item.taxes] }, formats).join(detailSeparator),
        amount: formats.amount(lineAmount(item, offer.pricesIncludeTax)),
      })),
    }
  } catch (error) {
    if (error instanceof ChoiceError || error instanceof TotalError) return undefined
    throw error
  }
}

/** Returns the part of an offer that `liveTotals` needs. */
export function liveOffer(
  { currency, pricesIncludeTax, discount, discountPercent, items }: PricedOffer & { readonly items: readonly ProposalItem[] },
  { locale, words, consent }: { locale: string; words: FigureWords; consent: string },
): LiveOffer {
  const { subtotal, discount: discountLabel, tax, taxOn, total, taxIncluded } = words
  return {
    currency,
    pricesIncludeTax,
    discount,
    discountPercent,
    locale,
    consent,
    words: { subtotal, discount: discountLabel, tax, total, taxIncluded, taxOn: taxOn('{name}', '{rate}', '{base}') },
    items: items.map((item) => ({
      quantity: item.quantity,
      unitPrice: item.unitPrice,
      discount: item.discount,
      discountPercent: item.discountPercent,
      taxes: item.taxes,
      optional: item.optional,
      preselected: item.preselected,
      group: item.group,
      quantityRange: item.quantityRange,
    })),
  }
}

function formatsOf({ locale, currency, words }: LiveOffer): FigureFormats {
  const taxOn = (name: string, rate: string, base: string): string =>
    words.taxOn.replace(/\{(name|rate|base)\}/g, (_placeholder, part) => (part === 'name' ? name : part === 'rate' ? rate : base))
  return {
    words: { ...words, taxOn },
    amount: amountFormat(locale, currency),
    number: numberFormat(locale),
    percent: percentFormat(locale),
  }
}
