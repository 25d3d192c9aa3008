import type { ContactHit, ContactHits, ContactMatch, SearchContacts } from '@groundwork/api'
import { select, type Context } from '../context.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { contactCondition } from './filter.ts'
import { firstSimilar, rankedContacts, type RankedContact } from './ranked.ts'
import { toContact } from './record.ts'

/**
 * Returns contacts that match a text, a filter, or both.
 * @throws AppError `validation_error` for an unknown key of the filter; `bad_request`, field `cursor`
 */
export async function searchContacts(ctx: Context, { q, filter, limit, cursor }: SearchContacts): Promise<ContactHits> {
  const condition = filter === undefined ? undefined : contactCondition(filter)
  const filtered = (db: Transaction) => {
    const contacts = db.selectFrom('contact').where('contact.deleted_at', 'is', null)
    return condition === undefined ? contacts : contacts.where(condition)
  }
  if (q === undefined) {
    const found = await select(ctx, (db) => newestFirst(filtered(db).selectAll('contact'), 'contact', { limit, cursor }))
    const { rows, nextCursor } = pageOf(found, limit)
    const reasons: ContactMatch[] = condition === undefined ? [] : ['filter']
    return { data: rows.map((row) => ({ contact: toContact(row), score: 1, reasons })), nextCursor }
  }
  const { rows, nextCursor } = await rankedContacts(ctx, filtered, { q, limit, cursor, isFiltered: condition !== undefined })
  return { data: rows.map((row) => hitOf(row, condition !== undefined)), nextCursor }
}

const scores: Readonly<Record<Exclude<ContactMatch, 'filter'>, number>> = {
  whole: 1,
  number: 0.9,
  words: 0.9,
  other_script: 0.85,
  prefix: 0.75,
  part: 0.6,
  similar: 0.55,
}

function hitOf(row: RankedContact, isFiltered: boolean): ContactHit {
  const score = scores[row.match]
  // Each typing error is ten ranks.
  const loss = row.match === 'similar' ? Math.min((row.rank - firstSimilar) / 100, 0.5) : 0
  return {
    contact: toContact(row),
    score: Number((score - loss).toFixed(2)),
    reasons: [row.match, ...(isFiltered ? (['filter'] as const) : [])],
  }
}
