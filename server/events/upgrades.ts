type Data = Record<string, unknown>

/** Turns the data of a stored event into the next version of the schema. */
export type Upgrade = (type: string, data: Data) => Data

/**
 * Upgrades of stored events, oldest first: the first one turns version 1 into version 2. Add one with each change of a record
 * that old data does not fit, such as a renamed or a required field, and a file of frozen rows beside the test. Nullable fields
 * need none: readers see null (stored-data.ts).
 */
const upgrades: readonly Upgrade[] = [
  (type, data) => (type.startsWith('proposal.') ? { ...data, recipients: [] } : data),
  withContentVersion,
  (type, data) => (type.startsWith('proposal.') ? { ...data, sections: [] } : data),
  withSigningOrder,
  withEntries,
]

/** The version that `emit` writes. */
export const schemaVersion = upgrades.length + 1

/** Returns the data of a stored event in the newest version. Data of a newer program stays as it is. */
export function upgraded(type: string, data: Data, version: number, steps: readonly Upgrade[] = upgrades): Data {
  return steps.slice(version - 1).reduce((current, upgrade) => upgrade(type, current), data)
}

/** Version 3: proposals have totals and lines with taxes, options and quantities. Former ones had neither. */
function withContentVersion(type: string, data: Data): Data {
  if (!type.startsWith('proposal.')) return data
  const items = Array.isArray(data['items']) ? (data['items'] as Data[]) : []
  const totals = { subtotal: null, discountTotal: null, taxes: null, taxTotal: null }
  const added = { pricesIncludeTax: false, discount: null, discountPercent: null, ...totals, contentVersion: 1 }
  return { ...data, ...added, items: items.map(withTaxes) }
}

/** Version 5: proposals can have several signers. Former ones had one, and no signature of the organization. */
function withSigningOrder(type: string, data: Data): Data {
  return type.startsWith('proposal.') ? { ...data, signingOrder: 'parallel', counterSignature: false } : data
}

/** Version 6: contacts can have several email addresses and phone numbers. Former ones had one, and could be contacted. */
function withEntries(type: string, data: Data): Data {
  if (!type.startsWith('contact.')) return data
  const { email, phone } = data
  const emails = typeof email === 'string' ? [{ value: email, asSent: email, label: null }] : []
  const phones = typeof phone === 'string' ? [{ value: phone, asSent: phone, label: null, extension: null }] : []
  return { ...data, emails, phones, doNotContact: false }
}

const withTaxes = (item: Data): Data => ({
  ...item,
  discountPercent: null,
  taxes: item['taxRate'] === '0' ? [] : [{ name: null, rate: item['taxRate'] }],
  preselected: false,
  group: null,
  quantityRange: null,
  net: null,
})
