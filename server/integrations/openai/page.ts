import { idInput, queryInteger, type IdPrefix } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { z } from 'zod'

/** Returns the query parameters of a list in OpenAI's form. Cursors are ids. */
export const pageQuery = (prefix: IdPrefix) => ({
  limit: queryInteger(1, 100).default(20),
  order: z.enum(['asc', 'desc']).default('desc'),
  after: idInput(prefix).optional(),
  before: idInput(prefix).optional(),
})
export interface Page {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/**
 * Returns the condition and order of a page with one further row. Ids are UUIDv7, so they are ordered by `created_at`. A page
 * before an id is read backwards from that id.
 */
export function pageOf(
  id: RawBuilder<unknown>,
  { limit, order, after, before }: Page,
): { within: RawBuilder<unknown>; ordered: RawBuilder<unknown> } {
  const descending = (order === 'desc') !== readBackwards({ after, before })
  const isAfter = (other: string): RawBuilder<unknown> => (order === 'desc' ? sql`${id} < ${other}::uuid` : sql`${id} > ${other}::uuid`)
  const isBefore = (other: string): RawBuilder<unknown> => (order === 'desc' ? sql`${id} > ${other}::uuid` : sql`${id} < ${other}::uuid`)
  return {
    within: sql`${after === undefined ? sql`true` : isAfter(after)} and ${before === undefined ? sql`true` : isBefore(before)}`,
    ordered: sql`order by ${id} ${descending ? sql`desc` : sql`asc`} limit ${limit + 1}::integer`,
  }
}

const readBackwards = ({ after, before }: Pick<Page, 'after' | 'before'>): boolean => before !== undefined && after === undefined

/** Returns the response of a list in OpenAI's form. */
export function toList(rows: readonly { id: string }[], page: Page): object {
  const shown = rows.slice(0, page.limit)
  const data = readBackwards(page) ? shown.toReversed() : shown
  return { object: 'list', data, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more: rows.length > page.limit }
}
