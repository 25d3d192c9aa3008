import { fractionDigits } from '@groundwork/api/money'
import type { Offer } from './content-hash.ts'
import { dateFormat, percentFormat } from './words/format.ts'

const language = 'en'

/** Returns the offer in English sentences to read aloud: title, name, options, total, taxes and last day. */
export function spokenOffer(offer: Offer, name: string, timeZone: string): string {
  const { title, items, currency, totalAmount, discountTotal, taxes, expiresAt, pricesIncludeTax } = offer
  const spoken = (amount: string): string =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'name', ...fractionDigits(amount, currency) }).format(
      amount as Intl.StringNumericLiteral,
    )
  const charged = (taxes ?? []).filter(({ amount }) => amount !== '0.00')
  const listed = charged.map((tax) => `${spoken(tax.amount)} of ${tax.name ?? 'tax'} at ${percentFormat(language)(tax.rate)}`)
  const taxed = listed.length === 0 ? '' : `, including ${new Intl.ListFormat(language, { type: 'conjunction' }).format(listed)}`
  const options = items.filter(({ optional }) => optional).length
  const discounted = discountTotal !== null && discountTotal !== '0.00'
  return [
    `${title}${name === '' ? '' : `, for ${name}`}.`,
    ...(options === 0 ? [] : [options === 1 ? 'One line is optional.' : `${options} lines are optional.`]),
    ...(discounted ? [`The discount is ${spoken(discountTotal)}${pricesIncludeTax ? ' without tax' : ''}.`] : []),
    `The total is ${spoken(totalAmount)}${taxed}.`,
    ...(expiresAt === null ? [] : [`The offer is valid until ${dateFormat(language, timeZone)(new Date(expiresAt))}.`]),
  ].join(' ')
}
