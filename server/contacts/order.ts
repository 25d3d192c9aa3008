import type { ContactSort } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../lib/errors.ts'

/** An order of the list of contacts, as SQL. */
export interface ContactOrder {
  readonly sort: ContactSort
  /** The indexed expression. A contact without an interaction counts as the earliest. */
  readonly key: RawBuilder<unknown>
  /** The value of `key` as text, for cursors. Texts keep the microseconds, which the driver's dates lose. */
  readonly value: RawBuilder<string>
  readonly direction: 'asc' | 'desc'
  /** The operator between a later row and an earlier one. */
  readonly beyond: RawBuilder<unknown>
  /** Casts the value of a cursor. */
  readonly type: RawBuilder<unknown>
}

const time = sql`timestamptz`

const keys = {
  createdAt: { key: sql`contact.created_at`, type: time },
  updatedAt: { key: sql`contact.updated_at`, type: time },
  lastInteractionAt: { key: sql`coalesce(contact.last_interaction_at, '-infinity')`, type: time },
  name: {
    key: sql`contact_fold(coalesce(contact.last_name, '') || ' ' || coalesce(contact.first_name, '')) collate "C"`,
    type: sql`text`,
  },
}

export function contactOrder(sort: ContactSort): ContactOrder {
  const descends = sort.startsWith('-')
  const { key, type } = keys[sort.replace('-', '') as keyof typeof keys]
  return { sort, key, type, value: sql<string>`(${key})::text`, direction: descends ? 'desc' : 'asc', beyond: descends ? sql`<` : sql`>` }
}

/** Returns the cursor of the page after this row. */
export const cursorAfter = ({ sort }: ContactOrder, row: { sort_value: string; id: string }): string =>
  Buffer.from(JSON.stringify([sort, row.sort_value, row.id])).toString('base64url')

/** @throws AppError `bad_request`, field `cursor`, unless the list returned it for the same order */
export function positionAfter({ sort, type }: ContactOrder, cursor: string): { value: string; id: string } {
  const [of, value, id] = partsOf(cursor)
  if (of === sort && typeof value === 'string' && typeof id === 'string' && uuid.test(id) && (type === time ? moment : name).test(value))
    return { value, id }
  throw new AppError('bad_request', 'cursor must be a cursor that this list returned for the same sort', { field: 'cursor' })
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : []
  } catch {
    return []
  }
}

const moment = /^(?:-infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)$/
// oxlint-disable-next-line no-control-regex -- PostgreSQL has no such character
const name = /^[^\u0000]{0,500}$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
