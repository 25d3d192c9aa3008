import type { Proposal, ProposalItem, ProposalTax } from '@groundwork/api'
import { isZero } from '../words/format.ts'
import type { ProposalWords } from '../words/words.ts'
import { foreign, html, type Html } from './html.ts'

/** The labels of amounts. */
export type FigureWords = Pick<ProposalWords['document'], 'subtotal' | 'discount' | 'tax' | 'taxOn' | 'total' | 'taxIncluded'>

/** What the amounts of a page are written with, on the server and in the browser. */
export interface FigureFormats {
  readonly words: FigureWords
  readonly amount: (amount: string) => string
  readonly number: (decimal: string) => string
  readonly percent: (decimal: string) => string
}

type Totals = Pick<Proposal, 'subtotal' | 'discountPercent' | 'discountTotal' | 'totalAmount' | 'pricesIncludeTax'> & {
  readonly taxes: readonly ProposalTax[] | null
}

/** A label with its formatted amount. */
export interface TotalRow {
  readonly label: string
  readonly amount: string
  readonly isTotal: boolean
}

/** Returns the rows from the sum of the lines to the total. Without discounts and taxes, there is only the total. */
export function totalRows(totals: Totals, { words, amount, percent }: FigureFormats): TotalRow[] {
  const { subtotal, discountPercent, discountTotal, totalAmount, pricesIncludeTax } = totals
  const taxes = totals.taxes ?? []
  const hasDiscount = discountTotal !== null && !isZero(discountTotal)
  const discount = discountPercent === null ? words.discount : `${words.discount} ${percent(discountPercent)}`
  const row = (label: string, value: string): TotalRow => ({ label, amount: amount(value), isTotal: false })
  return [
    ...(subtotal !== null && (hasDiscount || taxes.length > 0) ? [row(words.subtotal, subtotal)] : []),
    ...(hasDiscount ? [row(discount, `-${discountTotal}`)] : []),
    ...taxes.map((tax) => row(words.taxOn(tax.name ?? words.tax, percent(tax.rate), amount(tax.base)), tax.amount)),
    {
      label: pricesIncludeTax && taxes.length > 0 ? `${words.total} (${words.taxIncluded})` : words.total,
      amount: amount(totalAmount),
      isTotal: true,
    },
  ]
}

/** Returns the rows of the page. */
export const totalList = (totals: Totals, formats: FigureFormats): Html =>
  html`${totalRows(totals, formats).map(
    ({ label, amount, isTotal }) =>
      html`<div${isTotal ? html` class="total"` : null}>
        <dt>${foreign(label)}</dt>
        <dd>${amount}</dd>
      </div>`,
  )}`

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
