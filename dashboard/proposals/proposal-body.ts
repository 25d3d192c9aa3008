import type { Proposal } from '@groundwork/api'
import { emptyItem, type DraftItem } from './draft-item.ts'

/** The form values of a proposal, named like the API fields. */
export interface ProposalValues {
  title: string
  contactId: string
  /** Whether the total comes from line items or is a single amount. */
  priced: 'lines' | 'sum'
  items: DraftItem[]
  totalAmount: string
  /** Empty for the default currency of the organization. */
  currency: string
  /** The last valid day in the browser’s time zone, or an empty string. */
  expiresAt: string
  message: string
}

export const emptyValues = (): ProposalValues => ({
  title: '',
  contactId: '',
  priced: 'lines',
  items: [emptyItem()],
  totalAmount: '',
  currency: '',
  expiresAt: '',
  message: '',
})

export const valuesOf = ({ title, contactId, items, totalAmount, currency, expiresAt, message }: Proposal): ProposalValues => ({
  title,
  contactId,
  priced: items.length > 0 ? 'lines' : 'sum',
  items: items.length > 0 ? items.map((item) => ({ ...emptyItem(), ...item })) : [emptyItem()],
  totalAmount: items.length > 0 ? '' : totalAmount,
  currency,
  expiresAt: expiresAt === null ? '' : dayHere(new Date(expiresAt)),
  message: message ?? '',
})

/** Converts the form values to a request body. Cleared fields are null, so that an update removes them. */
export function bodyOf(values: ProposalValues) {
  const { title, contactId, priced, items, totalAmount, currency, expiresAt, message } = values
  return {
    title,
    contactId,
    ...(priced === 'lines' ? { items: items.map(itemOf) } : { items: null, totalAmount }),
    ...(currency !== '' && { currency }),
    message: message.trim() === '' ? null : message,
    expiresAt: expiresAt === '' ? null : new Date(`${expiresAt}T23:59:59.999`).toISOString(),
  }
}

const itemOf = ({ description, quantity, unitPrice, discount, taxRate, optional }: DraftItem) => ({
  description,
  quantity: quantity.trim(),
  unitPrice: unitPrice.trim(),
  ...(discount.trim() !== '' && { discount: discount.trim() }),
  ...(taxRate.trim() !== '' && { taxRate: taxRate.trim() }),
  optional,
})

/** Returns the day in the browser’s time zone, as `2026-05-25`. */
export const dayHere = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
