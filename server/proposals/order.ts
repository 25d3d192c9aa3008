import type { ProposalSort } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { AppError } from '../lib/errors.ts'

/** An order of the list of proposals, as SQL. */
export interface Order {
  readonly sort: ProposalSort
  /** The indexed expression. A proposal that was not sent or does not expire counts as the latest. */
  readonly key: RawBuilder<unknown>
  /** The value of `key` as text, for cursors. */
  readonly value: RawBuilder<string>
  readonly direction: 'asc' | 'desc'
  /** The operator between a later row and an earlier one. */
  readonly beyond: RawBuilder<unknown>
}

const keys = {
  createdAt: sql`proposal.created_at`,
  totalAmount: sql`proposal.total_hundredths`,
  sentAt: sql`coalesce(proposal.sent_at, 'infinity')`,
  expiresAt: sql`coalesce(proposal.expires_at, 'infinity')`,
}

export function orderOf(sort: ProposalSort): Order {
  const descends = sort.startsWith('-')
  const key = keys[nameOf(sort)]
  return {
    sort,
    key,
    // Texts keep the microseconds, which the driver's dates lose.
    value: sql<string>`${key}::text`,
    direction: descends ? 'desc' : 'asc',
    beyond: descends ? sql`<` : sql`>`,
  }
}

const nameOf = (sort: ProposalSort): keyof typeof keys => sort.replace('-', '') as keyof typeof keys

/** Returns the cursor of the page after these rows. */
export function nextCursorOf({ sort }: Order, rows: readonly { sort_value: string; id: string }[]): string | null {
  const last = rows.at(-1)
  return last === undefined ? null : Buffer.from(JSON.stringify([sort, last.sort_value, last.id])).toString('base64url')
}

/** @throws AppError `bad_request`, field `cursor`, unless the list returned it for the same order */
export function positionAfter(order: Order, cursor: string): { value: string; id: string } {
  const [sort, value, id] = partsOf(cursor)
  const isValue = order.sort.endsWith('totalAmount') ? integer : moment
  if (sort === order.sort && isValue.test(value) && uuid.test(id)) return { value, id }
  throw new AppError('bad_request', 'cursor must be a nextCursor that this list returned for the same sort', { field: 'cursor' })
}

function partsOf(cursor: string): [sort: string, value: string, id: string] {
  const [, sort = '', value = '', id = ''] =
    /^\["([-A-Za-z]+)","([^"]+)","([^"]+)"\]$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  return [sort, value, id]
}

const integer = /^\d{1,14}$/
const moment = /^(?:infinity|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d)?)$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
