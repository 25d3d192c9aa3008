import type { ContactMatch } from '@groundwork/api'
import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { select, selectSql, type Context } from '../context.ts'
import type { Schema, Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { decodeCursor, encodeCursor } from '../lib/cursor.ts'
import { recordsOf, shareOfNewest, type Narrowing } from './contacts-in-order.ts'
import { nameDistances } from './name-distance.ts'
import { withoutTitles } from './name-titles.ts'
import type { ContactRow } from './record.ts'
import { areOfTags, fewOf, idsOfRecords, type RelatedRecords } from './related.ts'
import { tiersOf, type QueryForms, type SearchTiers, type Tier } from './search-tiers.ts'

/** Selects the contacts that match the other conditions of a search. */
type FilteredContacts = (db: Pick<Transaction, 'selectFrom'>) => SelectQueryBuilder<Schema, 'contact', object>

export interface RankedPage {
  rows: RankedContact[]
  nextCursor: string | null
  total: number | null
}

/** A found contact. Its rank is the number of its tier, or `firstSimilar` and ten times its distance. */
export type RankedContact = RankedRow & { match: Exclude<ContactMatch, 'filter'> }

type RankedRow = ContactRow & { rank: number }

/** A place between contacts in the order of ranks. */
type Place = Pick<RankedRow, 'rank' | 'id'>

/** The lowest rank of contacts with similar words. Contacts with every word have lower ranks. */
export const firstSimilar = 10
const lastSimilar = 99
/** Contacts with similar words are left out if so many contacts have all words. */
const maxWholeBesideSimilar = 5
/** Maximum number of contacts, those with the most in common, whose typing errors are counted. */
const maxSimilar = 200
/** If at most so many contacts meet the other conditions, these are compared with the words. */
const maxCompared = 2500
/** If at most so many contacts have the facets of a filter, matches are found among these. */
const maxAmong = 50_000
/** Matches that are compared with other conditions at a time. */
const chunkSize = 1000
/** More matches are found among the contacts with the facets instead. */
const maxChunk = 6000
/** The same for frequent words among the contacts of records. */
const maxFrequentChunk = 500
/** A word of more contacts is frequent. A word without statistics is taken for one of a third of a percent. */
const maxRare = 5000
/** Matches beyond the expected ones, because the share of contacts is an estimate. */
const reserve = 1.3

/**
 * Returns contacts with every word of a search, best match first and newest first among equals, and then, unless several contacts have
 * all words, contacts with similar words. The cursor contains the rank of the last row, so contacts created between two requests do
 * not shift the pages.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function rankedContacts(ctx: Context, filtered: FilteredContacts, input: RankedSearch): Promise<RankedPage> {
  const { limit, count = false, isFiltered, few, narrowing = { facets: [], isExact: false } } = input
  const after = input.cursor === undefined ? undefined : decodeRanked(input.cursor)
  const analyzed = await analyzeText(ctx, input.q)
  if (analyzed === undefined) return { rows: [], nextCursor: null, total: count ? 0 : null }
  const { tiers } = analyzed
  const search: Search = { filtered, ...analyzed, isFiltered, few, narrowing }
  const rows = after === undefined || after.rank < firstSimilar ? await withEveryWord(ctx, search, after, limit + 1) : []
  const needsSimilar = rows.length <= limit
  const similar = needsSimilar || count ? await withSimilarWords(ctx, search, after, limit + 1 - rows.length) : { rows: [], total: 0 }
  if (needsSimilar) rows.push(...similar.rows)
  const { rows: shown, nextCursor } = pageOfRanked(rows, limit)
  const withMatch = shown.map((row): RankedContact => ({ ...row, match: tiers.tiers[row.rank - 1]?.match ?? 'similar' }))
  return { rows: withMatch, nextCursor, total: count ? (await countEveryWord(ctx, search)) + similar.total : null }
}

type AnalyzedText = Pick<Search, 'tiers' | 'words' | 'expected'>

/** Analyzes a text, without its titles unless a contact has them too. Returns undefined for one without letters and digits. */
async function analyzeText(ctx: Context, q: string): Promise<AnalyzedText | undefined> {
  const untitled = withoutTitles(q)
  const whole = await analyzeWords(ctx, q)
  const isWhole = untitled === undefined || (whole !== undefined && (await hasEveryWord(ctx, whole)))
  return isWhole ? whole : analyzeWords(ctx, untitled)
}

async function analyzeWords(ctx: Context, q: string): Promise<AnalyzedText | undefined> {
  const [analyzed] = await selectSql(
    ctx,
    sql<{ forms: QueryForms; estimates: number[]; country: string | null }>`select forms,
        (select country from organization) as country,
        estimated_contacts_with_words(array(select each ->> 'word' from jsonb_array_elements(forms -> 'words') as each)) as estimates
      from contact_query(${q}) as forms`,
  )
  const tiers = analyzed && tiersOf(q, analyzed.forms, analyzed.estimates, analyzed.country)
  return tiers && { tiers, words: analyzed.forms.words, expected: Math.min(...analyzed.estimates) }
}

/** Returns whether a contact has words that begin with those of the text. */
async function hasEveryWord(ctx: Context, text: AnalyzedText): Promise<boolean> {
  const tiers = { ...text.tiers, tiers: text.tiers.tiers.filter(({ match }) => match !== 'part') }
  const matches = matchesOf({ ...text, tiers }, { after: undefined, maxRows: 1 })
  return (await select(ctx, (db) => db.selectFrom(matches.as('match')).selectAll())).length > 0
}

/** A text and a page of its matches. */
interface RankedSearch {
  readonly q: string
  readonly limit: number
  readonly cursor?: string | undefined
  readonly count?: boolean | undefined
  /** Whether `filtered` has conditions besides that the contact is not deleted. */
  readonly isFiltered: boolean
  /** Contacts among which those that meet the other conditions are, if they are few. */
  readonly few?: readonly string[] | undefined
  readonly narrowing?: Narrowing
}

interface Search {
  readonly filtered: FilteredContacts
  readonly tiers: SearchTiers
  readonly words: QueryForms['words']
  /** About how many contacts have the rarest word. */
  readonly expected: number
  /** Whether the search has conditions besides its words. */
  readonly isFiltered: boolean
  readonly few: readonly string[] | undefined
  readonly narrowing: Narrowing
}

async function withEveryWord(ctx: Context, search: Search, after: Place | undefined, maxRows: number): Promise<RankedRow[]> {
  const { filtered, isFiltered, narrowing } = search
  if (!isFiltered) {
    return select(ctx, (db) =>
      filtered(db)
        .innerJoin(matchesOf(search, { after, maxRows }).as('match'), (join) => join.onTrue())
        .whereRef('contact.id', '=', sql.ref('match.contact_id'))
        .selectAll('contact')
        .select('match.rank')
        .orderBy('match.rank')
        .orderBy('contact.id', 'desc'),
    )
  }
  const few = await fewContacts(ctx, search)
  if (few !== undefined) {
    const among = sql<string[]>`${few.toSorted().toReversed()}::uuid[]`
    return inRounds(ctx, filtered, after, { maxRows, chunk: maxRows, next: (part) => readMatches(ctx, search, part, among) })
  }
  // If nearly all matches among the contacts with the facets are on the page, finding these contacts takes most of the time: matches of
  // all contacts come first.
  const expected = Math.ceil((maxRows / (await shareOfNewest(ctx, filtered))) * reserve)
  const records = await recordsAmong(ctx, narrowing)
  const isNarrowed = records.length > 0 || narrowing.facets.length > 0
  const startsWithAll = isNarrowed && expected <= (records.length > 0 && search.expected > maxRare ? maxFrequentChunk : maxChunk)
  const chunk = narrowing.isExact ? maxRows : chunkSize
  return inRounds(ctx, filtered, after, {
    maxRows,
    chunk: startsWithAll ? Math.max(expected, chunk) : chunk,
    next: (part, round) =>
      readMatches(ctx, search, part, isNarrowed && (round > 0 || !startsWithAll) ? idsAmong(narrowing, records) : undefined),
  })
}

/** Returns the records among whose contacts matches are found; none if many contacts have one, unless it is a tag alone. */
async function recordsAmong(ctx: Context, narrowing: Narrowing): Promise<Records> {
  const records = recordsOf(narrowing, true)
  const isOneTag = records.length === 1 && records.every(areOfTags)
  return records.length === 0 || isOneTag ? records : fewOf(ctx, records, maxAmong)
}

type Records = readonly (readonly RelatedRecords[])[]

/** A part of the matches in the order of their ranks. */
interface Part {
  readonly after: Place | undefined
  readonly maxRows: number
}

interface Match {
  readonly contact_id: string
  readonly rank: number
}

interface Rounds {
  readonly maxRows: number
  /** Maximum number of matches of a round. */
  readonly chunk: number
  readonly next: (part: Part, round: number) => Promise<Match[]>
}

/** Reads the contacts that the other conditions leave of the matches. Each round reads matches after those of the round before. */
async function inRounds(
  ctx: Context,
  filtered: FilteredContacts,
  after: Place | undefined,
  { maxRows, chunk, next }: Rounds,
): Promise<RankedRow[]> {
  const rows: RankedRow[] = []
  for (let round = 0, place = after; rows.length < maxRows; round += 1) {
    const matches = await next({ after: place, maxRows: chunk }, round)
    rows.push(...(await readRanked(ctx, filtered, new Map(matches.map(({ contact_id, rank }) => [contact_id, rank])))))
    const last = matches.at(-1)
    if (last === undefined || matches.length < chunk) break
    place = { rank: last.rank, id: last.contact_id }
  }
  return rows.slice(0, maxRows)
}

/** Returns the ids of the contacts that meet the other conditions; undefined if there are many. */
async function fewContacts(
  ctx: Context,
  { filtered, few, narrowing: { facets, isExact } }: Search,
): Promise<readonly string[] | undefined> {
  if (isExact && facets.length > 0) return few
  const rows = await select(ctx, (db) =>
    amongFew(filtered(db), few)
      .select('contact.id')
      .limit(maxCompared + 1),
  )
  return rows.length <= maxCompared ? rows.map(({ id }) => id) : undefined
}

const amongFew = (contacts: ReturnType<FilteredContacts>, few: Search['few']): ReturnType<FilteredContacts> =>
  few === undefined ? contacts : contacts.where(sql<boolean>`contact.id = any(${few}::uuid[])`)

/** Contacts among which matches are found, newest first; null for all contacts. */
type Among = RawBuilder<string[] | null>

const readMatches = (ctx: Context, search: Search, part: Part, among?: Among): Promise<Match[]> =>
  select(ctx, (db) => db.selectFrom(matchesOf(search, part, among).as('match')).selectAll())

const firstId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function matchesOf(
  { tiers: { tiers, anyIndexed }, words, expected }: AnalyzedText,
  { after, maxRows }: Part,
  among: Among = sql`null::uuid[]`,
) {
  const column = <Value>(value: (tier: Tier) => Value): Value[] => tiers.map(value)
  const found = sql`contacts_in_tiers(${column(({ condition }) => condition)}::tsquery[], ${column(({ indexed }) => indexed)}::tsquery[],
    ${column(({ match }) => (meetsAll(match, words) ? Math.round(expected) : null))}::integer[],
    ${anyIndexed}::tsquery, ${after?.rank ?? 1}::integer, ${after?.id ?? firstId}::uuid, ${maxRows}::integer, ${among})`
  return sql<{ contact_id: string; rank: number }>`(select contact_id, tier as rank from ${found})`
}

/** Returns whether about all contacts with the rarest word meet a condition. */
const meetsAll = (match: Tier['match'], words: QueryForms['words']): boolean =>
  words.length === 1 && (match === 'words' || match === 'prefix' || match === 'part')

/** Selects the ids of the contacts that have a record of each of `records`, or without records those with the facets; null if there are too many. */
const idsAmong = ({ facets }: Narrowing, records: Records): Among =>
  records.length > 0
    ? idsOfRecords(records, maxAmong)
    : sql`(select array_agg(id order by id desc) from unnest(contacts_with_facets(${JSON.stringify(facets)}::jsonb, ${maxAmong}::integer)) as id)`

const conditionsOf = ({ tiers }: SearchTiers): string[] => tiers.map(({ condition }) => condition)

async function countEveryWord(ctx: Context, { filtered, few, tiers, isFiltered }: Search): Promise<number> {
  const all = sql<{ contact_id: string }>`(select contact_id from contacts_with_terms(${conditionsOf(tiers).join(' | ')}::tsquery))`.as(
    'match',
  )
  const [counted] = await select(ctx, (db) => {
    const total = sql<number>`count(*)`.as('total')
    if (!isFiltered) return db.selectFrom(all).select(total)
    return amongFew(filtered(db), few)
      .innerJoin(all, (join) => join.onTrue())
      .whereRef('contact.id', '=', sql.ref('match.contact_id'))
      .select(total)
  })
  return counted?.total ?? 0
}

/** Returns the first contacts with similar words after a place, and the number of all of them. */
async function withSimilarWords(
  ctx: Context,
  { filtered, tiers, words, isFiltered }: Search,
  after: Place | undefined,
  maxRows: number,
): Promise<{ rows: RankedRow[]; total: number }> {
  const { near, alike, whole } = tiers
  const candidates = await selectSql(
    ctx,
    sql<{ contact_id: string; names: string }>`select * from contacts_alike(${near.condition}::tsquery, ${near.indexed}::tsquery,
      ${alike.condition}::tsquery, ${alike.indexed}::tsquery, ${conditionsOf(tiers).join(' | ')}::tsquery,
      ${whole.condition}::tsquery, ${whole.indexed}::tsquery, ${maxWholeBesideSimilar}::integer, ${maxSimilar}::integer)`,
  )
  const distanceTo = nameDistances(words)
  const places = candidates.flatMap(({ contact_id, names }): Place[] => {
    const distance = distanceTo(names)
    return distance === undefined ? [] : [{ id: contact_id, rank: Math.min(firstSimilar + Math.round(distance * 10), lastSimilar) }]
  })
  const isNext = (place: Place): boolean => after === undefined || isAfter(place, after)
  // Without other conditions all of them match, so only those of the page are read.
  const read = isFiltered ? places : places.filter(isNext).toSorted(byPlace).slice(0, maxRows)
  const rows = await readRanked(ctx, filtered, new Map(read.map(({ id, rank }) => [id, rank])))
  return { rows: rows.filter(isNext).slice(0, maxRows), total: isFiltered ? rows.length : places.length }
}

/** Reads the contacts that match the other conditions, in the order of their ranks by id. */
async function readRanked(ctx: Context, filtered: FilteredContacts, ranks: ReadonlyMap<string, number>): Promise<RankedRow[]> {
  if (ranks.size === 0) return []
  const rows = await select(ctx, (db) =>
    filtered(db)
      .where(sql<boolean>`contact.id = any(${[...ranks.keys()]}::uuid[])`)
      .selectAll('contact'),
  )
  const ranked = rows.map((row) => ({ ...row, rank: ranks.get(row.id) ?? lastSimilar }))
  return ranked.toSorted(byPlace)
}

const byPlace = (a: Place, b: Place): number => (isAfter(a, b) ? 1 : -1)

const isAfter = (row: Place, other: Place): boolean => row.rank > other.rank || (row.rank === other.rank && row.id < other.id)

function pageOfRanked(rows: RankedRow[], limit: number): { rows: RankedRow[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (rows.length <= limit || last === undefined) return { rows: shown, nextCursor: null }
  return { rows: shown, nextCursor: `${last.rank}.${encodeCursor({ createdAt: last.created_at, id: last.id })}` }
}

function decodeRanked(cursor: string): Place {
  const [, rank, position] = /^(\d{1,2})\.(.+)$/.exec(cursor) ?? []
  if (rank === undefined || position === undefined)
    throw new AppError('bad_request', 'cursor is not one that this list returned', { field: 'cursor' })
  return { rank: Number(rank), id: decodeCursor(position).id }
}
