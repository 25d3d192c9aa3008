import type { Organization, Proposal } from '@groundwork/api'
import { emptyItem, emptyTax, type DraftItem } from './draft-item.ts'
import { emptySigning, signingBody, signingOf, type DraftSigning } from './draft-recipients.ts'
import { draftSections, sectionsBody, type DraftSection } from './sections/draft-section.ts'
import { amountOfLine, discountOf, groupOf, taxesOf, typedAmount, typedDiscount, typedTaxes } from './totals.ts'

/** The form values of a proposal, named like the API fields. */
export interface ProposalValues extends DraftSigning {
  title: string
  contactId: string
  /** Whether the total comes from line items or is a single amount. */
  priced: 'lines' | 'sum'
  items: DraftItem[]
  pricesIncludeTax: boolean
  /** Discount on the whole: an amount, or a percentage with a percent sign. */
  discount: string
  totalAmount: string
  /** Empty for the default currency of the organization. */
  currency: string
  /** The last valid day in the browser’s time zone, or an empty string. */
  expiresAt: string
  message: string
  sections: DraftSection[]
}

const emptyValues = (): ProposalValues => ({
  title: '',
  contactId: '',
  priced: 'lines',
  items: [emptyItem()],
  pricesIncludeTax: false,
  discount: '',
  totalAmount: '',
  currency: '',
  expiresAt: '',
  message: '',
  sections: [],
  ...emptySigning(),
})

/** Returns the values of a new proposal with the defaults of the organization. */
export const newValues = ({ defaultTerms, expiryDays }: Organization): ProposalValues => ({
  ...emptyValues(),
  expiresAt: expiryDays === null ? '' : dayHere(new Date(Date.now() + expiryDays * dayMs)),
  sections: defaultTerms === null ? [] : draftSections([{ type: 'items' }, { type: 'terms', text: defaultTerms }]),
})

const dayMs = 86_400_000

export function valuesOf(proposal: Proposal): ProposalValues {
  const { title, contactId, items, pricesIncludeTax, discount, discountPercent, totalAmount, currency, expiresAt, message, sections } =
    proposal
  return {
    title,
    contactId,
    priced: items.length > 0 ? 'lines' : 'sum',
    items: items.length > 0 ? items.map(draftOf) : [emptyItem()],
    pricesIncludeTax,
    discount: typedDiscount(discount, discountPercent),
    totalAmount: items.length > 0 ? '' : totalAmount,
    currency,
    expiresAt: dayOrEmpty(expiresAt),
    message: message ?? '',
    sections: draftSections(sections),
    ...signingOf(proposal),
  }
}

const draftOf = ({ discount, discountPercent, taxes, group, ...item }: Proposal['items'][number]): DraftItem => ({
  ...emptyItem(),
  ...item,
  discount: typedDiscount(discount, discountPercent),
  taxes: taxes.length === 0 ? [emptyTax] : typedTaxes(taxes),
  group: group ?? '',
})

/**
 * Converts the form values to a request body. Cleared fields are null, so that an update removes them.
 * @param storedExpiry of the proposal that is edited; it stays as it is on the same day
 */
export const bodyOf = (values: ProposalValues, storedExpiry: string | null = null) => ({
  ...termsOf(values, storedExpiry),
  ...signingBody(values),
  ...pricingOf(values),
})

function termsOf({ title, contactId, currency, expiresAt, message, sections }: ProposalValues, storedExpiry: string | null = null) {
  return {
    title,
    contactId,
    ...(currency !== '' && { currency }),
    message: message.trim() === '' ? null : message,
    sections: sectionsBody(sections),
    expiresAt: expiresAt === '' ? null : expiresAt === dayOrEmpty(storedExpiry) ? storedExpiry : endOfDayHere(expiresAt),
  }
}

function pricingOf({ priced, items, pricesIncludeTax, discount, totalAmount }: ProposalValues) {
  return priced === 'lines' ? { items: items.map(itemOf), pricesIncludeTax, ...discountOf(discount) } : { items: null, totalAmount }
}

/** Converts incomplete form values to the body of a preview, without empty fields and without lines that have no amount yet. */
export function previewBodyOf(values: ProposalValues, currency: string) {
  const sections = values.sections.filter((section) => ('text' in section && section.text.trim() !== '') || section.type === 'items')
  const { title, contactId, ...terms } = termsOf({ ...values, sections })
  const items = values.items.filter(
    (item) => item.description.trim() !== '' && amountOfLine(item, currency, values.pricesIncludeTax) !== undefined,
  )
  const isPriced = values.priced === 'lines' ? items.length > 0 : typedAmount(values.totalAmount) !== undefined
  return {
    ...terms,
    ...(title.trim() !== '' && { title }),
    ...(contactId !== '' && { contactId }),
    ...(isPriced && pricingOf({ ...values, items })),
  }
}

function itemOf(item: DraftItem) {
  const { description, quantity, unitPrice, discount, taxes, optional, preselected, quantityRange } = item
  const { discount: amount, discountPercent } = discountOf(discount)
  const group = groupOf(item)
  return {
    description,
    quantity: quantity.trim(),
    unitPrice: unitPrice.trim(),
    ...(amount !== null && { discount: amount }),
    ...(discountPercent !== null && { discountPercent }),
    ...taxFields(taxes),
    optional,
    preselected: optional && preselected,
    ...(group !== null && { group }),
    ...(quantityRange !== null && { quantityRange: trimmed(quantityRange) }),
  }
}

const trimmed = ({ min, max, step }: NonNullable<DraftItem['quantityRange']>) => ({ min: min.trim(), max: max.trim(), step: step.trim() })

/** A single tax without a name is sent in the short form. The API refuses several taxes without names. */
function taxFields(typed: DraftItem['taxes']) {
  const taxes = taxesOf(typed)
  const [first, ...others] = taxes
  if (first === undefined) return {}
  if (first.name === null && others.length === 0) return { taxRate: first.rate }
  return { taxes: taxes.map(({ name, rate }) => ({ name: name ?? '', rate })) }
}

/** Returns the day in the browser’s time zone, as `2026-05-25`. */
export const dayHere = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')

const dayOrEmpty = (at: string | null): string => (at === null ? '' : dayHere(new Date(at)))

const endOfDayHere = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()
