import { z } from 'zod'
import { documented, notBoth, withRule } from './field-rules.ts'
import {
  currenciesWithoutDecimals,
  decimalPattern,
  percentPattern,
  quantityDigits,
  taxRateDigits,
  unitPriceDigits,
  type Digits,
} from './money.ts'
import { Amount, amountInput, text } from './schemas.ts'

const decimal = (digits: Digits) => z.string().regex(decimalPattern(digits), `must be a decimal with at most ${digits.decimals} decimals`)
const quantity = decimal(quantityDigits)

const rateInput = decimal(taxRateDigits).meta({
  description: 'Rate in per cent as a decimal string: up to 3 digits and at most 4 decimals.',
  examples: ['19'],
})

export const percentInput = z
  .string()
  .regex(percentPattern, 'must be a decimal from 0 to 100 with at most 4 decimals')
  .meta({ description: 'Percentage from 0 to 100 as a decimal string with at most 4 decimals.', examples: ['10'] })

const TaxInput = z
  .strictObject({ name: text(1, 60).describe('Name of the tax, as the recipient reads it.'), rate: rateInput })
  .meta({ id: 'TaxInput', description: 'A tax of a line.', examples: [{ name: 'VAT', rate: '19' }] })

const QuantityRangeInput = z
  .strictObject({
    min: quantity.meta({ description: 'Smallest quantity. 0 lets the recipient leave the line out.', examples: ['1'] }),
    max: quantity.meta({ description: 'Largest quantity.', examples: ['10'] }),
    step: quantity
      .default('1')
      .meta({ description: 'Quantities are `min` plus a whole number of steps. 1 by default; not 0.', examples: ['1'] }),
  })
  .meta({
    id: 'QuantityRangeInput',
    description: 'Quantities that the recipient may choose. The `quantity` of the line must be one of them.',
  })

const lineFields = z.strictObject({
  description: text(1, 500).describe('Product or service of this line.'),
  quantity: quantity
    .default('1')
    .meta({ description: 'Quantity as a decimal string: up to 9 digits and at most 3 decimals.', examples: ['3'] }),
  unitPrice: decimal(unitPriceDigits).meta({
    description:
      'Price of one unit as a decimal string, with at most 6 decimals. Without tax, unless `pricesIncludeTax` of the proposal is true.',
    examples: ['1200.00'],
  }),
  discount: amountInput.optional().meta({
    description: 'Discount on the whole line, at most quantity × unitPrice. No discount by default.',
    examples: ['50.00'],
  }),
  discountPercent: percentInput
    .optional()
    .describe(
      'Discount on the whole line in per cent, instead of `discount`: quantity × unitPrice × discountPercent / 100, rounded half up.',
    ),
  taxRate: rateInput
    .optional()
    .describe('Rate of a tax without a name in per cent as a decimal string: the short form of `taxes`. No tax by default.'),
  taxes: z.array(TaxInput).max(3).optional().describe('Taxes of the line, up to 3 with different names, instead of `taxRate`.'),
  optional: z.boolean().default(false).describe('true offers the line as an option, which the recipient can choose.'),
  preselected: z
    .boolean()
    .default(false)
    .describe('true chooses the option in advance, so that it counts towards the totals. Only for lines with `optional` or `group`.'),
  group: text(1, 60)
    .optional()
    .describe(
      'Name of a group of alternatives. The recipient chooses one of its lines, which become optional. At most one is preselected.',
    ),
  quantityRange: QuantityRangeInput.optional().describe('Lets the recipient change the quantity. By default, it is fixed.'),
})

const isTrue = { const: true }
const onlyOptions = withRule(
  lineFields,
  {
    anyOf: [
      { not: { required: ['preselected'], properties: { preselected: isTrue } } },
      { required: ['optional'], properties: { optional: isTrue } },
      { required: ['group'] },
    ],
  },
  ({ preselected, optional, group }) =>
    preselected === true && optional !== true && group === undefined
      ? [{ field: 'preselected', message: 'is only allowed for a line with optional or group' }]
      : [],
)
const oneDiscount = notBoth(onlyOptions, 'discount', { field: 'discountPercent', message: 'cannot be combined with discount' })

export const ProposalItemInput = notBoth(oneDiscount, 'taxes', { field: 'taxRate', message: 'cannot be combined with taxes' }).meta({
  id: 'ProposalItemInput',
  description: 'A line of a proposal: quantity × unitPrice, rounded half up, less the discount.',
})
export type ProposalItemInput = z.output<typeof ProposalItemInput>

/** Adds to the JSON Schema of a proposal that amounts in currencies without decimals are whole numbers. */
export function withWholeAmounts<S extends z.ZodType>(schema: S): S {
  const whole = { pattern: String.raw`^\d{1,12}(?:\.0{1,2})?$` }
  const items = { items: { properties: { discount: whole } } }
  return documented(schema, {
    if: { required: ['currency'], properties: { currency: { enum: currenciesWithoutDecimals } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { totalAmount: whole, discount: whole, items } },
  })
}

const rateOutput = z.string().meta({ description: 'Rate in per cent as a decimal string without trailing zeros.', examples: ['19'] })
const taxName = z
  .string()
  .nullable()
  .meta({ description: 'Name of the tax; null for the short form `taxRate`.', examples: ['VAT'] })

export const ProposalTax = z
  .object({
    name: taxName,
    rate: rateOutput,
    base: Amount.describe('Net amount that is taxed, after all discounts: a decimal string with two decimals.'),
    amount: Amount.describe(
      'Tax: base × rate / 100, rounded half up once for the whole proposal. If prices include tax, calculated from them and not from the rounded base. A decimal string with two decimals.',
    ),
  })
  .meta({ id: 'ProposalTax', description: 'A tax of a proposal: the sum over all lines with this name and rate.' })
export type ProposalTax = z.input<typeof ProposalTax>

const previously = 'null if `contentVersion` is 1'

export const ProposalItem = z
  .object({
    description: z.string().describe('Product or service of this line.'),
    quantity: z.string().meta({ description: 'Quantity as a decimal string without trailing zeros.', examples: ['3'] }),
    unitPrice: z.string().meta({
      description: 'Price of one unit: a decimal string with two to six decimals. With tax if `pricesIncludeTax` of the proposal is true.',
      examples: ['0.335'],
    }),
    discount: Amount.describe(
      'Discount on the whole line, in the same prices as `unitPrice`: a decimal string with two decimals; `0.00` without one.',
    ),
    discountPercent: z
      .string()
      .nullable()
      .meta({ description: 'Percentage from which `discount` was calculated; null for an amount.', examples: ['10'] }),
    taxRate: z
      .string()
      .meta({ description: 'Sum of the rates of `taxes` in per cent as a decimal string; `0` without tax.', examples: ['19'] }),
    taxes: z.array(z.object({ name: taxName, rate: rateOutput })).describe('Taxes of the line; empty without tax.'),
    optional: z.boolean().describe('Whether the line is an option, which counts only if it is chosen.'),
    preselected: z.boolean().describe('Whether the option counts towards the totals unless the recipient removes it.'),
    group: z.string().nullable().describe('Group of alternatives of which the recipient chooses one line; null without one.'),
    quantityRange: z
      .object({
        min: z.string().describe('Smallest quantity.'),
        max: z.string().describe('Largest quantity.'),
        step: z.string().describe('Difference between two quantities.'),
      })
      .nullable()
      .describe('Quantities that the recipient may choose; null if the quantity is fixed.'),
    net: Amount.nullable().describe(
      `Amount without tax, after the discount of the line: a decimal string with two decimals. Without \`pricesIncludeTax\`, quantity × unitPrice, rounded half up, less \`discount\`; with it, the share of the line in \`subtotal\`. ${previously}.`,
    ),
    total: Amount.describe(
      'Amount with tax, after the discount of the line: a decimal string with two decimals. Without `pricesIncludeTax`, net × (1 + taxRate / 100), rounded half up. As taxes are rounded once for the whole proposal, the totals of lines can differ from `totalAmount` by some hundredths. If `contentVersion` is 1, `totalAmount` is their sum.',
    ),
  })
  .meta({ id: 'ProposalItem', description: 'A line of a proposal.' })
export type ProposalItem = z.input<typeof ProposalItem>

/** Fields of the record that state its totals. */
export const proposalTotals = {
  pricesIncludeTax: z.boolean().describe('Whether unit prices and discounts include tax.'),
  discount: Amount.nullable().describe(
    'Discount on the whole as an amount, with tax if `pricesIncludeTax` is true; null without one. If the recipient chooses lines of a smaller sum, the discount is that sum.',
  ),
  discountPercent: z
    .string()
    .nullable()
    .meta({ description: 'Discount on the whole in per cent; null without one.', examples: ['10'] }),
  subtotal: Amount.nullable().describe(
    `Sum of \`net\` of the lines that count: those that are not optional, and those that are preselected. Two decimals. subtotal − discountTotal + taxTotal = totalAmount. ${previously}.`,
  ),
  discountTotal: Amount.nullable().describe(`Discount on the whole, without tax. Two decimals; \`0.00\` without one. ${previously}.`),
  taxes: z
    .array(ProposalTax)
    .nullable()
    .describe(`Taxes by name and rate, each calculated once on the sum of its lines (EN 16931), ordered by name and rate. ${previously}.`),
  taxTotal: Amount.nullable().describe(`Sum of \`taxes\`. Two decimals. ${previously}.`),
  contentVersion: z.number().int().meta({
    description:
      'Version of the rules for totals and of the form of `contentHash`: 1 for proposals from before there were nets and taxes, 3 for proposals with sections, otherwise 2.',
  }),
}
