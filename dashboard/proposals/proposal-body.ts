import type { Organization, Proposal } from '@groundwork/api'
import { addDays, dayIn, endOfDayIn } from '../lib/zone-days.ts'
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
  /** The last valid day in the organization’s time zone, or an empty string. */
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
export const newValues = ({ defaultTerms, expiryDays, timeZone }: Organization): ProposalValues => ({
  ...emptyValues(),
  expiresAt: expiryDays === null ? '' : addDays(dayIn(new Date(), timeZone), expiryDays),
  sections: defaultTerms === null ? [] : draftSections([{ type: 'items' }, { type: 'terms', text: defaultTerms }]),
})

/** @param timeZone that of the organization */
export function valuesOf(proposal: Proposal, timeZone: string): ProposalValues {
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
    expiresAt: expiresAt === null ? '' : dayIn(new Date(expiresAt), timeZone),
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

/** What a day of the form stands for. */
export interface Expiry {
  /** The time zone of the organization. */
  timeZone: string
  /** The expiry of the draft when it was opened. It may be at any time of its day. */
  before?: string | null
}

/** Converts the form values to a request body. Cleared fields are null, so that an update removes them. */
export const bodyOf = (values: ProposalValues, expiry: Expiry) => ({
  ...termsOf(values, expiry),
  ...signingBody(values),
  ...pricingOf(values),
})

function termsOf({ title, contactId, currency, expiresAt, message, sections }: ProposalValues, expiry: Expiry) {
  return {
    title,
    contactId,
    ...(currency !== '' && { currency }),
    message: message.trim() === '' ? null : message,
    sections: sectionsBody(sections),
    expiresAt: expiresAt === '' ? null : expiryOf(expiresAt, expiry),
  }
}

/** Returns the end of the day, or the present expiry if it is on that day. */
const expiryOf = (day: string, { timeZone, before = null }: Expiry): string =>
  before !== null && dayIn(new Date(before), timeZone) === day ? before : endOfDayIn(day, timeZone).toISOString()

function pricingOf({ priced, items, pricesIncludeTax, discount, totalAmount }: ProposalValues) {
  return priced === 'lines' ? { items: items.map(itemOf), pricesIncludeTax, ...discountOf(discount) } : { items: null, totalAmount }
}

/** Converts incomplete form values to the body of a preview, without empty fields and without lines that have no amount yet. */
export function previewBodyOf(values: ProposalValues, currency: string, expiry: Expiry) {
  const sections = values.sections.filter((section) => ('text' in section && section.text.trim() !== '') || section.type === 'items')
  const { title, contactId, ...terms } = termsOf({ ...values, sections }, expiry)
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
