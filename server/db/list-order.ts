import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../lib/errors.ts'

/** A value that a list can be ordered by. */
interface SortKey {
  /**
   * Never null: a row without a value has one before or after all others. An index finds the place of a column or of a `case` of columns.
   * Row-level security lets no condition with a function use an index, not even `coalesce`: a page then reads all rows before it.
   */
  readonly key: RawBuilder<unknown>
  readonly type: 'timestamptz' | 'bigint' | 'text'
}

/** An order of a list, as SQL. Rows with the same value are ordered by their ids. */
export interface ListOrder<Sort extends string = string> extends SortKey {
  readonly sort: Sort
  /** The value of `key` as text, for cursors. Texts keep the microseconds, which the driver's dates lose. */
  readonly value: RawBuilder<string>
  readonly direction: 'asc' | 'desc'
  /** The operator between a later row and an earlier one. */
  readonly beyond: RawBuilder<unknown>
}

/** The end of a page: the value and the id of its last row. */
interface Position {
  readonly value: string
  readonly id: string
}

/** The name of an order without the `-` that means descending. */
type KeyOf<Sort extends string> = Sort extends `-${infer Key}` ? Key : Sort

export function listOrder<Sort extends string>(sort: Sort, keys: Readonly<Record<KeyOf<Sort>, SortKey>>): ListOrder<Sort> {
  const descends = sort.startsWith('-')
  const { key, type } = keys[keyOf(sort)]
  return { sort, key, type, value: sql<string>`(${key})::text`, direction: descends ? 'desc' : 'asc', beyond: descends ? sql`<` : sql`>` }
}

/** Only the first character of an order can be `-`. */
const keyOf = <Sort extends string>(sort: Sort): KeyOf<Sort> => sort.replace('-', '') as KeyOf<Sort>

/** Returns the condition of the rows after a position. */
export const isAfter = ({ key, type, beyond }: ListOrder, { value, id }: Position, idColumn: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${key}, ${idColumn}) ${beyond} (${value}::${sql.raw(type)}, ${id}::uuid)`

/** Returns the cursor of the page after this row. */
const cursorAfter = ({ sort }: ListOrder, row: { sort_value: string; id: string }): string =>
  Buffer.from(JSON.stringify([sort, row.sort_value, row.id])).toString('base64url')

/** Removes the extra row that list queries fetch to detect a next page, and returns the cursor of that page. */
export function pageInOrder<Row extends { sort_value: string; id: string }>(
  order: ListOrder,
  found: readonly Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > limit && last !== undefined ? cursorAfter(order, last) : null }
}

/** @throws AppError `bad_request`, field `cursor`, unless the list returned it for the same order */
export function positionAfter({ sort, type }: ListOrder, cursor: string): Position {
  const [of, value, id] = partsOf(cursor)
  if (of === sort && typeof value === 'string' && typeof id === 'string' && uuid.test(id) && forms[type].test(value)) return { value, id }
  throw new AppError('bad_request', 'cursor must be one that this list returned for the same sort', { field: 'cursor' })
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const forms: Readonly<Record<SortKey['type'], RegExp>> = {
  timestamptz: /^(?:-?infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)$/,
  bigint: /^-?\d{1,18}$/,
  // oxlint-disable-next-line no-control-regex -- PostgreSQL has no such character
  text: /^[^\u0000]{0,500}$/,
}
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
