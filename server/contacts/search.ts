import type { ContactHit, ContactHits, ContactMatch, SearchContacts, SearchFilter } from '@groundwork/api'
import { select, type Context } from '../context.ts'
import { sql, type SelectQueryBuilder } from 'kysely'
import type { Schema, Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { MatchingContacts } from './contacts-in-order.ts'
import { facetsOfFilter, isOnlyFacets } from './facets.ts'
import { fewNarrowed } from './few-narrowed.ts'
import { withFieldIds } from './filter-fields.ts'
import { contactCondition } from './filter.ts'
import { firstSimilar, rankedContacts, type RankedContact, type RankedPage } from './ranked.ts'
import { toContact } from './record.ts'
import { isOnlyRecords, relatedRecords } from './related.ts'
import { sortedContacts } from './sorted.ts'

/**
 * Returns contacts that match a text, a filter, or both.
 * @throws AppError `validation_error` for an unknown key of the filter, or for `sort` with `q`; `bad_request`, field `cursor`
 */
export async function searchContacts(ctx: Context, { filter: given, ...search }: SearchContacts): Promise<ContactHits> {
  const { q, sort, count, limit, cursor } = search
  const filter = given === undefined ? undefined : await withFieldIds(ctx, given)
  if (q !== undefined) {
    if (sort !== undefined)
      throw new AppError('validation_error', 'sort cannot be combined with q, whose matches come best first', { field: 'sort' })
    const { rows, nextCursor, total } = await contactsOfText(ctx, { q, filter, limit, cursor, count })
    return { data: rows.map((row) => hitOf(row, filter !== undefined)), nextCursor, total }
  }
  const { matching, related, facets } = filtered(filter)
  const few = count ? await fewNarrowed(ctx, { facets, related }) : undefined
  const total = count
    ? await totalOf(ctx, (db) => (few === undefined ? matching(db) : matching(db).where(sql<boolean>`contact.id = any(${few}::uuid[])`)))
    : null
  const narrowing = { facets, related, isExact: filter !== undefined && (isOnlyFacets(filter) || isOnlyRecords(filter)) }
  const { rows, nextCursor } = await sortedContacts(ctx, matching, { sort: sort ?? '-createdAt', limit, cursor, narrowing })
  const reasons: ContactMatch[] = filter === undefined ? [] : ['filter']
  return { data: rows.map((row) => ({ contact: toContact(row), score: 1, reasons })), nextCursor, total }
}

interface TextSearch extends Pick<SearchContacts, 'filter' | 'limit' | 'cursor'> {
  readonly q: string
  readonly count?: boolean
}

/**
 * Returns contacts that match a text, and the filter if one is given, best match first.
 * @throws AppError `validation_error` for an unknown key of the filter; `bad_request`, field `cursor`
 */
export async function contactsOfText(ctx: Context, { filter, ...search }: TextSearch): Promise<RankedPage> {
  const { matching, related, facets } = filtered(filter)
  const few = await fewNarrowed(ctx, { facets, related })
  const narrowing = { facets, related, isExact: filter !== undefined && isOnlyFacets(filter) }
  return rankedContacts(ctx, matching, { ...search, isFiltered: filter !== undefined, few, narrowing })
}

/** Returns the contacts that meet the filter, and the records and facets that narrow them. */
function filtered(filter: SearchFilter | undefined) {
  const condition = filter === undefined ? undefined : contactCondition(filter)
  const matching: MatchingContacts = (db) => {
    const contacts = db.selectFrom('contact').where('contact.deleted_at', 'is', null)
    return condition === undefined ? contacts : contacts.where(condition)
  }
  return {
    matching,
    related: filter === undefined ? [] : relatedRecords(filter),
    facets: filter === undefined ? [] : facetsOfFilter(filter),
  }
}

async function totalOf(ctx: Context, matching: (db: Transaction) => SelectQueryBuilder<Schema, 'contact', object>): Promise<number> {
  const [counted] = await select(ctx, (db) => matching(db).select(({ fn }) => fn.countAll<number>().as('total')))
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
