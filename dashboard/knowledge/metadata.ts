export interface MetadataRow {
  /** Stable while the key is edited. */
  id: number
  key: string
  /** Strings unchanged, other values as JSON. */
  value: string
}

type Value = string | number | boolean | string[]

export const metadataRows = (metadata: Record<string, unknown>): MetadataRow[] =>
  Object.entries(metadata).map(([key, value], id) => ({
    id,
    key,
    value: typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value),
  }))

/** Returns the changes that turn `before` into the rows, with null for removed keys. */
export function metadataChanges(before: Record<string, unknown>, rows: readonly MetadataRow[]): Record<string, Value | null> {
  const named = rows.filter(({ key }) => key.trim() !== '')
  const after = Object.fromEntries(named.map(({ key, value }) => [key.trim(), valueOf(value)]))
  const removed = Object.keys(before).filter((key) => !(key in after))
  return { ...Object.fromEntries(removed.map((key) => [key, null])), ...after }
}

const isJson = (text: string): boolean => valueOf(text) !== text

/** Parses numbers, true, false, lists of strings and quoted strings as JSON. Returns other text unchanged. */
function valueOf(text: string): Value {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  } catch {
    // Not JSON: a plain string.
  }
  return text
}
