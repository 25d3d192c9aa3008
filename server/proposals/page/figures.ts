import type { Proposal, ProposalItem, ProposalTax } from '@groundwork/api'
import { isZero } from '../words/format.ts'
import type { ProposalWords } from '../words/words.ts'
import { foreign, html, type Html } from './html.ts'

/** The labels of amounts. */
export type FigureWords = Pick<ProposalWords['document'], 'subtotal' | 'discount' | 'tax' | 'taxOn' | 'total'>

/** What the amounts of a page are written with, on the server and in the browser. */
export interface FigureFormats {
  readonly words: FigureWords
  readonly amount: (amount: string) => string
  readonly number: (decimal: string) => string
  readonly percent: (decimal: string) => string
}

type Totals = Pick<Proposal, 'subtotal' | 'discountTotal' | 'taxes' | 'taxTotal' | 'totalAmount'>

/** Returns the rows from the sum of the lines to the total. Without discounts and taxes, there is only the total. */
export function totalRows({ subtotal, discountTotal, taxes, taxTotal, totalAmount }: Totals, formats: FigureFormats): Html {
  const { words, amount, percent } = formats
  const hasDetails = subtotal !== null && !(isZero(discountTotal ?? '0') && isZero(taxTotal ?? '0'))
  const ofTax = ({ name, rate, base, amount: tax }: ProposalTax): Html =>
    row(words.taxOn(name ?? words.tax, percent(rate), amount(base)), amount(tax))
  return html`${hasDetails ? row(words.subtotal, amount(subtotal)) : null}
    ${!hasDetails || discountTotal === null || isZero(discountTotal) ? null : row(words.discount, amount(`-${discountTotal}`))}
    ${hasDetails ? (taxes ?? []).map(ofTax) : null}
    <div class="total">
      <dt>${words.total}</dt>
      <dd>${amount(totalAmount)}</dd>
    </div>`
}

const row = (label: string, value: string): Html =>
  html`<div>
    <dt>${foreign(label)}</dt>
    <dd>${value}</dd>
  </div>`

/** Returns quantity, price, discount and taxes of a line. */
export const lineDetails = (
  { quantity, unitPrice, discount, taxes }: Pick<ProposalItem, 'quantity' | 'unitPrice' | 'discount' | 'taxes'>,
  { words, amount, number, percent }: FigureFormats,
): string[] => [
  `${number(quantity)} × ${amount(unitPrice)}`,
  ...(isZero(discount) ? [] : [`${words.discount} ${amount(discount)}`]),
  ...taxes.map(({ name, rate }) => `${name ?? words.tax} ${percent(rate)}`),
]

/** Separates the parts of `lineDetails`. */
export const detailSeparator = ' · '

/** Returns the amount of a line: without tax, or with it if prices include tax. */
export const lineAmount = ({ net, total }: Pick<ProposalItem, 'net' | 'total'>, pricesIncludeTax: boolean): string =>
  pricesIncludeTax ? total : (net ?? total)
