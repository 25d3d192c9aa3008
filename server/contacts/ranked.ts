import type { ListContacts } from '@groundwork/api'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { select, type Context } from '../context.ts'
import type { Schema, Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { decodeCursor, encodeCursor, type Position } from '../lib/cursor.ts'
import { likePattern } from '../lib/like.ts'
import { countTypingErrors } from './typing-errors.ts'
import type { ContactRow } from './record.ts'
import { searchReadings, type SearchWord } from './search-terms.ts'

/** Selects the contacts that match the other conditions of a search. */
type FilteredContacts = (db: Transaction) => SelectQueryBuilder<Schema, 'contact', object>

export interface RankedPage {
  rows: ContactRow[]
  nextCursor: string | null
  total: number | null
}

/** The last row of a page. */
interface RankedPosition extends Position {
  readonly rank: number
}

type Ranked = ContactRow & { rank: number }

/** The lowest rank of contacts with similar words. Contacts with every word have lower ranks. */
const firstSimilar = 4
/** Maximum number of contacts, the most similar ones, whose typing errors are counted. */
const maxSimilar = 500

/**
 * Returns contacts that contain every word, best match first and newest first among equals. If there are none, returns contacts
 * that contain every word except for typing errors. The cursor contains the rank of the last row, so contacts created between
 * two requests do not shift the pages.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function rankedContacts(ctx: Context, filtered: FilteredContacts, input: ListContacts & { q: string }): Promise<RankedPage> {
  const after = input.cursor === undefined ? undefined : decodeRanked(input.cursor)
  const readings = searchReadings(input.q)
  const empty = { rows: [], nextCursor: null, total: input.count ? 0 : null }
  if (after === undefined || after.rank < firstSimilar) {
    for (const words of readings) {
      const page = await findEveryWord(ctx, filtered, words, input, after)
      // A page after the last match has no rows, but a total.
      if (page.rows.length > 0 || (page.total ?? 0) > 0) return page
    }
    if (after !== undefined) return empty
  }
  const words = readings.at(-1)
  return words === undefined ? empty : findSimilarWords(ctx, filtered, words, input, after)
}

async function findEveryWord(
  ctx: Context,
  filtered: FilteredContacts,
  words: readonly SearchWord[],
  input: ListContacts,
  after: RankedPosition | undefined,
): Promise<RankedPage> {
  const { limit, count } = input
  const matching = (db: Transaction, part = sql``) =>
    filtered(db)
      .innerJoin(matchOf(words, part).as('match'), (join) => join.onTrue())
      .whereRef('contact.id', '=', sql.ref('match.contact_id'))
  const onPage = sql<boolean>`${after === undefined ? sql`true` : isAfter(after)}`
  const order = sql`match.rank, match.created_at desc, match.contact_id desc`
  // Without other conditions the limit applies before the contacts are read. Otherwise a word that every contact contains would
  // read all of them.
  const part = hasFilters(input) ? sql`` : sql`where ${onPage} order by ${order} limit ${limit + 1}`
  const rows = await select(ctx, (db) =>
    matching(db, part)
      .selectAll('contact')
      .select('match.rank')
      .where(onPage)
      .orderBy(order)
      .limit(limit + 1),
  )
  const all = (db: Transaction) => (hasFilters(input) ? matching(db) : db.selectFrom(matchOf(words, sql``).as('match')))
  const [counted] = count ? await select(ctx, (db) => all(db).select(sql<number>`count(*)`.as('total'))) : []
  return { ...pageOfRanked(rows, limit), total: count ? (counted?.total ?? 0) : null }
}

const isAfter = ({ rank, createdAt, id }: RankedPosition) =>
  sql<boolean>`(match.rank > ${rank} or match.rank = ${rank} and (match.created_at, match.contact_id) < (${createdAt}, ${id}::uuid))`

/** Returns whether a search has conditions besides its words. */
const hasFilters = ({ q: _q, limit: _limit, cursor: _cursor, count: _count, ...others }: ListContacts): boolean =>
  Object.values(others).some((value) => value !== undefined)

/** Returns a subquery for the contacts that contain the words. `part` can limit it to a page. */
function matchOf(words: readonly SearchWord[], part: RawBuilder<unknown>) {
  const parts = words.map((word) => word.part)
  const starting = words.map(({ whole }) => likePattern(` ${whole}`))
  const whole = words.map((word) => likePattern(` ${word.whole} `))
  const wholeLength = words.reduce((sum, word) => sum + [...word.whole].length + 1, 1)
  return sql<{ contact_id: string; rank: number }>`(select * from contacts_with_words(
    ${parts}::text[], ${parts.map(likePattern)}::text[], ${starting}::text[], ${whole}::text[], ${wholeLength}::integer) as match ${part})`
}

async function findSimilarWords(
  ctx: Context,
  filtered: FilteredContacts,
  words: readonly SearchWord[],
  input: ListContacts,
  after: RankedPosition | undefined,
): Promise<RankedPage> {
  const { limit, count } = input
  const parts = words.map(({ part }) => part)
  const order = sql`match.likeness desc, match.created_at desc, match.contact_id desc`
  const part = hasFilters(input) ? sql`` : sql`order by ${order} limit ${maxSimilar}`
  const match = sql<{ contact_id: string }>`(select * from contacts_like_words(
    ${parts}::text[], ${parts.map(likePattern)}::text[]) as match ${part})`
  const similar = await select(ctx, (db) =>
    filtered(db)
      .innerJoin(match.as('match'), (join) => join.onTrue())
      .whereRef('contact.id', '=', sql.ref('match.contact_id'))
      .selectAll('contact')
      .orderBy(order)
      .limit(maxSimilar),
  )
  const found = similar
    .flatMap((row): Ranked[] => {
      const errors = countTypingErrors(parts, row.search_text)
      return errors === undefined ? [] : [{ ...row, rank: firstSimilar + errors }]
    })
    .toSorted(compareRanked)
  const rest = after === undefined ? found : found.filter((row) => compareRanked(row, positionIn(after)) > 0)
  return { ...pageOfRanked(rest.slice(0, limit + 1), limit), total: count ? found.length : null }
}

type Place = Pick<Ranked, 'rank' | 'created_at' | 'id'>

const positionIn = ({ rank, createdAt, id }: RankedPosition): Place => ({ rank, created_at: createdAt, id })

const compareRanked = (a: Place, b: Place): number =>
  a.rank - b.rank || b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

function pageOfRanked(rows: Ranked[], limit: number): { rows: Ranked[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (rows.length <= limit || last === undefined) return { rows: shown, nextCursor: null }
  const position = encodeCursor({ createdAt: last.created_at, id: last.id })
  return { rows: shown, nextCursor: `${last.rank}.${position}` }
}

function decodeRanked(cursor: string): RankedPosition {
  const [, rank, position] = /^(\d{1,3})\.(.+)$/.exec(cursor) ?? []
  if (rank === undefined || position === undefined)
    throw new AppError('bad_request', 'cursor is not one that this list returned', { field: 'cursor' })
  return { rank: Number(rank), ...decodeCursor(position) }
}
