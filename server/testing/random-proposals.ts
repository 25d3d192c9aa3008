import type { Choices } from '@groundwork/api/choices'
import fc from 'fast-check'

/** The body of a request that creates a proposal, without the contact, and choices of its recipient. */
export interface RandomProposal {
  readonly body: { readonly currency: string; readonly items: readonly RandomLine[] } & Record<string, unknown>
  readonly choices: Choices
  readonly language: string
}

interface RandomLine {
  readonly optional?: boolean
  readonly group?: string
  readonly quantityRange?: { readonly min: string; readonly max: string; readonly step: string }
  readonly [field: string]: unknown
}

const decimal = (max: number, decimals: number) =>
  fc.integer({ min: 0, max }).map((value) => (value / 10 ** decimals).toFixed(decimals).replace(/\.?0+$/, '') || '0')
const percent = fc.oneof(fc.constantFrom('10', '100', '33.3333'), decimal(1_000_000, 4))
const rate = fc.oneof(fc.constantFrom('0', '5', '9.975', '19'), decimal(999_999, 4))

const taxes = fc.oneof(
  fc.constant({}),
  rate.map((taxRate) => ({ taxRate })),
  fc
    .uniqueArray(fc.constantFrom('GST', 'QST', 'VAT', '<Levy> & "duty"'), { minLength: 1, maxLength: 3 })
    .chain((names) => fc.tuple(...names.map((name) => rate.map((each) => ({ name, rate: each })))))
    .map((list) => ({ taxes: list })),
)

/** A line without a currency's decimals, so that it is valid in each. */
const line = fc
  .record({
    quantity: fc.oneof(fc.constantFrom('1', '3', '1000'), decimal(99_999, 3)),
    unitPrice: fc.oneof(fc.constantFrom('0.335', '100', '59.5'), decimal(9_999_999, 2), decimal(99_999_999, 6)),
    discount: fc.oneof(
      fc.constant({}),
      percent.map((discountPercent) => ({ discountPercent })),
    ),
    taxes,
    kind: fc.constantFrom('fixed', 'fixed', 'optional', 'preselected', 'group', 'range'),
  })
  .map(({ quantity, unitPrice, discount, taxes: tax, kind }): RandomLine => {
    const fields = { description: 'Bicycle', quantity, unitPrice, ...discount, ...tax }
    if (kind === 'optional') return { ...fields, optional: true }
    if (kind === 'preselected') return { ...fields, optional: true, preselected: true }
    if (kind === 'group') return { ...fields, group: 'Insurance' }
    return kind === 'range' ? { ...fields, quantity: '2', quantityRange: { min: '0', max: '9', step: '0.5' } } : fields
  })

const offerDiscount = fc.oneof(
  fc.constant({}),
  percent.map((discountPercent) => ({ discountPercent })),
)

/** Random proposals with every kind of line, discount and tax. Each has a fixed line, so it can always be accepted. */
export const randomProposal: fc.Arbitrary<RandomProposal> = fc
  .record({
    currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'CAD', 'HUF'),
    pricesIncludeTax: fc.boolean(),
    lines: fc.array(line, { maxLength: 7 }),
    discount: offerDiscount,
    language: fc.constantFrom('en', 'de', 'fr', 'es'),
    picks: fc.array(fc.nat(18), { minLength: 8, maxLength: 8 }),
  })
  .map(({ currency, pricesIncludeTax, lines, discount, language, picks }) => {
    const items: RandomLine[] = [{ description: 'Bicycle', quantity: '1', unitPrice: '250', taxRate: '19' }, ...lines]
    return { body: { title: 'Bicycles', currency, pricesIncludeTax, items, ...discount }, choices: choicesOf(items, picks), language }
  })

/** Chooses about half of the options, one line of the group, and a quantity of each range. */
function choicesOf(items: readonly RandomLine[], picks: readonly number[]): Choices {
  const group = items.flatMap(({ group: name }, at) => (name === undefined ? [] : [at]))
  const chosen = group[(picks[0] ?? 0) % Math.max(1, group.length)]
  const lines = items.flatMap(({ optional }, at) => (optional === true && (picks[at % picks.length] ?? 0) % 2 === 0 ? [at] : []))
  const quantities = items.flatMap(({ quantityRange }, at): [number, string][] =>
    quantityRange === undefined ? [] : [[at, String((picks[at % picks.length] ?? 0) / 2)]],
  )
  return { lines: chosen === undefined ? lines : [...lines, chosen], quantities: Object.fromEntries(quantities) }
}
