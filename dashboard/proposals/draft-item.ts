import type { TypedItem } from './totals.ts'

/** A line with a name of its own, so that what is typed stays with it when another one goes. */
export interface DraftItem extends TypedItem {
  key: string
}

let made = 0

export const emptyItem = (): DraftItem => ({
  key: `line ${++made}`,
  description: '',
  quantity: '1',
  unitPrice: '',
  discount: '',
  taxRate: '',
  optional: false,
})
