import { isDeepStrictEqual } from 'node:util'

/** Returns the columns whose values differ from those of the row. JSON can be text, as it is written; undefined columns are left out. */
export function changedColumns<Columns extends object>(row: object, columns: Columns): Partial<Columns> {
  const before = new Map<string, unknown>(Object.entries(row))
  const differs = ([name, value]: [string, unknown]): boolean =>
    value !== undefined && !isDeepStrictEqual(before.get(name), isJson(before.get(name), value) ? JSON.parse(value) : value)
  return Object.fromEntries(Object.entries(columns).filter(differs)) as Partial<Columns>
}

const isJson = (before: unknown, value: unknown): value is string =>
  typeof value === 'string' && typeof before === 'object' && before !== null && !(before instanceof Date)

export const isEmpty = (columns: object): boolean => Object.keys(columns).length === 0
