import type { OfferLine } from './money.ts'

/** Returns a line of 1.00 without tax, for tests. */
export const line = (parts: Partial<OfferLine>): OfferLine => ({
  quantity: '1',
  unitPrice: '1',
  discount: '0',
  discountPercent: null,
  taxes: [],
  optional: false,
  preselected: false,
  group: null,
  quantityRange: null,
  ...parts,
})
