import type { ContactHit, ContactHits, ContactMatch, SearchContacts } from '@groundwork/api'
import { select, type Context } from '../context.ts'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Schema, Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { MatchingContacts } from './contacts-in-order.ts'
import { facetsOfFilter, isOnlyFacets } from './facets.ts'
import { fewNarrowed } from './few-narrowed.ts'
import { contactCondition } from './filter.ts'
import { firstSimilar, rankedContacts, type RankedContact } from './ranked.ts'
import { toContact } from './record.ts'
import { isOnlyRecords, relatedRecords } from './related.ts'
import { sortedContacts } from './sorted.ts'

/**
 * Returns contacts that match a text, a filter, or both.
 * @throws AppError `validation_error` for an unknown key of the filter, or for `sort` with `q`; `bad_request`, field `cursor`
 */
export async function searchContacts(ctx: Context, { q, filter, sort, count, limit, cursor }: SearchContacts): Promise<ContactHits> {
  const condition = filter === undefined ? undefined : contactCondition(filter)
  const related = filter === undefined ? [] : relatedRecords(filter)
  const facets = filter === undefined ? [] : facetsOfFilter(filter)
  const matching: MatchingContacts = (db) => {
    const contacts = db.selectFrom('contact').where('contact.deleted_at', 'is', null)
    return condition === undefined ? contacts : contacts.where(condition)
  }
  const ofFacets = filter !== undefined && isOnlyFacets(filter)
  const few = count || q !== undefined ? await fewNarrowed(ctx, { facets, related }) : undefined
  if (q === undefined) {
    const total = count
      ? await totalOf(ctx, (db) => (few === undefined ? matching(db) : matching(db).where(sql<boolean>`contact.id = any(${few}::uuid[])`)))
      : null
    const narrowing = { facets, related, isExact: ofFacets || (filter !== undefined && isOnlyRecords(filter)) }
    const { rows, nextCursor } = await sortedContacts(ctx, matching, { sort: sort ?? '-createdAt', limit, cursor, narrowing })
    const reasons: ContactMatch[] = condition === undefined ? [] : ['filter']
    return { data: rows.map((row) => ({ contact: toContact(row), score: 1, reasons })), nextCursor, total }
  }
  if (sort !== undefined)
    throw new AppError('validation_error', 'sort cannot be combined with q, whose matches come best first', { field: 'sort' })
  const isFiltered = condition !== undefined
  const narrowing = { facets, related, isExact: ofFacets }
  const { rows, nextCursor, total } = await rankedContacts(ctx, matching, { q, limit, cursor, count, isFiltered, few, narrowing })
  return { data: rows.map((row) => hitOf(row, isFiltered)), nextCursor, total }
}

async function totalOf(ctx: Context, filtered: (db: Transaction) => SelectQueryBuilder<Schema, 'contact', object>): Promise<number> {
  const [counted] = await select(ctx, (db) => filtered(db).select(({ fn }) => fn.countAll<number>().as('total')))
  return counted?.total ?? 0
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
