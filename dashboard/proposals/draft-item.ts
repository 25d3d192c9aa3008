import { entryKey } from '../lib/entry-key.ts'
import type { TypedItem, TypedTax } from './totals.ts'

/** A line item with a stable key, so that its inputs keep their state when another line is removed. */
export interface DraftItem extends TypedItem {
  key: string
}

export const emptyTax: TypedTax = { name: '', rate: '' }

export const emptyItem = (): DraftItem => ({
  key: entryKey(),
  description: '',
  quantity: '1',
  unitPrice: '',
  discount: '',
  taxes: [emptyTax],
  optional: false,
  preselected: false,
  group: '',
  quantityRange: null,
})
