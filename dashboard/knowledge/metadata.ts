export interface MetadataRow {
  /** Stays while its key is typed. */
  id: number
  key: string
  /** Text as it is; anything else as JSON. */
  value: string
}

type Value = string | number | boolean | string[]

export const metadataRows = (metadata: Record<string, unknown>): MetadataRow[] =>
  Object.entries(metadata).map(([key, value], id) => ({
    id,
    key,
    value: typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value),
  }))

/** What makes `before` what the rows say: key by key, null for what is gone. */
export function metadataChanges(before: Record<string, unknown>, rows: readonly MetadataRow[]): Record<string, Value | null> {
  const named = rows.filter(({ key }) => key.trim() !== '')
  const after = Object.fromEntries(named.map(({ key, value }) => [key.trim(), valueOf(value)]))
  const gone = Object.keys(before).filter((key) => !(key in after))
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...after }
}

const isJson = (text: string): boolean => valueOf(text) !== text

/** Numbers, true, false, lists of texts, and texts in quotes are what they look like; everything else is the text itself. */
function valueOf(text: string): Value {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  } catch {
    // It is a text.
  }
  return text
}
