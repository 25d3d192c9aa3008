import { z } from 'zod'
import { ProposalItem, ProposalTax, proposalTotals } from './proposal-items.ts'
import { ProposalSection } from './proposal-sections.ts'
import { Amount } from './schemas.ts'

const warningCodes = ['no_email', 'nothing_selected', 'total_is_zero', 'external_id_taken', 'rounded_currency'] as const

export const ProposalPreview = z
  .object({
    currency: z.string().meta({ description: 'Currency of all amounts (ISO 4217).', examples: ['EUR'] }),
    pricesIncludeTax: proposalTotals.pricesIncludeTax,
    items: z.array(ProposalItem).describe('Lines with their totals; empty if only a total was given.'),
    sections: z.array(ProposalSection).describe('Sections in order; empty without any.'),
    discount: proposalTotals.discount,
    discountPercent: proposalTotals.discountPercent,
    subtotal: Amount.describe('Sum of `net` of the lines that count. Two decimals. subtotal − discountTotal + taxTotal = totalAmount.'),
    discountTotal: Amount.describe('Discount on the whole, without tax. Two decimals; `0.00` without one.'),
    taxes: z.array(ProposalTax).describe('Taxes by name and rate.'),
    taxTotal: Amount.describe('Sum of `taxes`. Two decimals.'),
    totalAmount: Amount.describe('Total with tax of the lines that count. Two decimals.'),
    contentVersion: proposalTotals.contentVersion,
    contentHash: z
      .string()
      .describe(
        '`contentHash` that a draft with this content has. Give it to `send` as `expectContentHash`, so that only this content is sent.',
      ),
    warnings: z
      .array(
        z.object({
          code: z
            .enum(warningCodes)
            .describe(
              '`no_email`: the contact or another recipient has no email address; `nothing_selected`: no line counts until the recipient chooses one; `total_is_zero`; `external_id_taken`: creating would answer 409; `rounded_currency`: amounts have fewer decimals than the currency.',
            ),
          message: z.string().describe('Explanation in English.'),
          field: z.string().nullable().describe('Field of the body; null if it is none.'),
        }),
      )
      .describe('Reasons to look at the proposal again before it is created; empty without any.'),
    sentence: z.string().meta({
      description: 'Summary to read aloud before the proposal is sent, in the language of `language`.',
      examples: ['Three days of bicycles, for Ada Lovelace. The total is 1,260.00 euros.'],
    }),
    language: z.string().meta({ description: 'Language of `sentence` (BCP 47).', examples: ['en'] }),
  })
  .meta({ id: 'ProposalPreview', description: 'The figures of a proposal that was not created.' })
export type ProposalPreview = z.input<typeof ProposalPreview>
