import type { Proposal } from '@groundwork/api'
import { emptyItem, type DraftItem } from './draft-item.ts'

/** A proposal as it is written, by the names of the contract. */
export interface ProposalValues {
  title: string
  contactId: string
  /** Whether it is priced by lines or by one sum. */
  priced: 'lines' | 'sum'
  items: DraftItem[]
  totalAmount: string
  /** Nothing for the organization's own. */
  currency: string
  /** The last day on which it can be accepted, in the writer's calendar; or nothing. */
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

/** The same as the API takes it. What is cleared is null, so that a draft loses it. */
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

/** Such as `2026-05-25`. */
export const dayHere = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
