import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely'
import { select, selectSql, type Context } from '../context.ts'
import type { Schema, Transaction } from '../db/schema.ts'
import { isAfter } from '../db/list-order.ts'
import type { Facet } from './facets.ts'
import { contactOrder, type ContactOrder } from './order.ts'
import type { ContactRow } from './record.ts'
import {
  areOfCompanies,
  areOfTags,
  contactsOfRecords,
  fewCompanies,
  fewOf,
  firstOfRecords,
  type Candidates,
  type RelatedRecords,
} from './related.ts'

/** Selects contacts by their conditions, from the table or a part of it. */
export type MatchingContacts = (db: Pick<Transaction, 'selectFrom'>) => Contacts

type Contacts = SelectQueryBuilder<Schema, 'contact', object>

/** Part of a list in an order. */
export interface Page {
  readonly order: ContactOrder
  /** The position that it begins after. */
  readonly after: { readonly value: string; readonly id: string } | undefined
  readonly maxRows: number
}

/** Facets and records of other tables that narrow a list. */
export interface Narrowing {
  /** Each matching contact has one of each element. */
  readonly facets: readonly (readonly Facet[])[]
  /** Each matching contact has a record of each element. */
  readonly related?: readonly (readonly RelatedRecords[])[]
  /** Whether nearly all contacts with them match. */
  readonly isExact: boolean
}

type SortedRow = ContactRow & { sort_value: string }

/** Contacts that are collected and sorted without reading the list. */
const few = 2500
/** Contacts that are collected and sorted if the list would have to be read for long. */
const many = 200_000
/** Contacts of the list that show how many others have to be read for a page. */
const readAtFirst = 400
/** Newest contacts that show the share of matching ones. */
const sampled = 1000
/** Reading so many contacts takes about as long as collecting those with a facet. */
const maxRead = 12_000

/** Records that are read and sorted without reading the list, if an index has their contacts in its order. */
const fewRecords = 50_000
/** Records whose contacts are read and sorted, in another order. */
const fewUnordered = 20_000

/**
 * Reads a page of the contacts that `matching` selects. If facets or records narrow them, either the contacts with these are collected and
 * sorted, or the list is read in its order until the page is full, whichever reads fewer contacts.
 */
export async function contactsInOrder(ctx: Context, matching: MatchingContacts, page: Page, narrowing: Narrowing): Promise<SortedRow[]> {
  const readAll = async (): Promise<SortedRow[]> => {
    const rows = isAfterName(page) ? await collected(ctx, matching, page, false, (part) => contactsByName(ctx, part)) : undefined
    return rows ?? select(ctx, (db) => sorted(matching(db), page))
  }
  const readFirst = (maxContacts: number): Promise<SortedRow[]> =>
    select(ctx, (db) => sorted(matching(firstOf(db, page, maxContacts)), page, sql`contact.sort_key`))
  const collections = collectionsOf(ctx, matching, page, narrowing)
  if (collections.length === 0) return readAll()
  for (const { collect, first } of collections) {
    const rare = await collect(first)
    if (rare !== undefined) return rare
  }
  const sample = await readFirst(readAtFirst)
  if (sample.length >= page.maxRows) return sample
  if (sample.length * maxRead >= page.maxRows * readAtFirst) {
    if (isAfterName(page)) return readAll()
    const rows = await readFirst(2 * maxRead)
    if (rows.length >= page.maxRows) return rows
  }
  for (const { collect, second } of collections) {
    const rows = await collect(second)
    if (rows !== undefined) return rows
  }
  return readAll()
}

/** A way to read the page without reading the list. */
interface Collection {
  /** Returns the page; undefined if there are more than so many contacts or records. */
  readonly collect: (max: number) => Promise<SortedRow[] | undefined>
  /** Maximum before the list is tried. */
  readonly first: number
  /** Maximum if the list would have to be read for long. */
  readonly second: number
}

function collectionsOf(ctx: Context, matching: MatchingContacts, page: Page, narrowing: Narrowing): readonly Collection[] {
  const { facets, isExact } = narrowing
  const isByCreation = page.order.sort.endsWith('createdAt')
  const related = recordsOf(narrowing, isByCreation)
  const ofFacets: Collection = {
    collect: (max) => collected(ctx, matching, page, isExact, (part) => contactsOfFacets(ctx, facets, part, max)),
    first: few,
    second: many,
  }
  const ofRecords: Collection = isByCreation
    ? { collect: (max) => byCreation(ctx, matching, page, { related, isExact }, max), first: fewRecords, second: many }
    : { collect: (max) => unordered(ctx, matching, page, related, max), first: few, second: fewUnordered }
  const ofCompanies: Collection = {
    collect: async (max) => {
      const employed = await fewCompanies(ctx, narrowing.related ?? [], max)
      if (employed.length === 0) return undefined
      if (!isByCreation) return unordered(ctx, matching, page, employed, max)
      return byCreation(ctx, matching, page, { related: employed, isExact: isExact && employed.length === narrowing.related?.length }, max)
    },
    first: few,
    second: fewUnordered,
  }
  const [byFacets, byRecords] = [facets.length === 0 ? [] : [ofFacets], related.length === 0 ? [] : [ofRecords]]
  const byCompanies = narrowing.related?.some(areOfCompanies) === true ? [ofCompanies] : []
  return related.some(areOfTags) ? [...byRecords, ...byFacets, ...byCompanies] : [...byFacets, ...byRecords, ...byCompanies]
}

/**
 * Returns the records that choose contacts, except companies. Those of a tag are in the order of creation; the index of facets intersects
 * several tags in less time, and reads contacts in another order.
 */
export function recordsOf({ facets, related = [] }: Pick<Narrowing, 'facets' | 'related'>, isByCreation: boolean): Related {
  const records = related.filter((each) => !areOfCompanies(each))
  const others = records.filter((each) => !areOfTags(each))
  return isByCreation && (facets.length === 1 || others.length > 0) ? records : others
}

type Related = readonly (readonly RelatedRecords[])[]

/** Reads the page from the contacts of records, whose indexes know when the contacts were created. */
async function byCreation(
  ctx: Context,
  matching: MatchingContacts,
  page: Page,
  { related, isExact }: { readonly related: Related; readonly isExact: boolean },
  maxRecords: number,
): Promise<SortedRow[] | undefined> {
  const isWalk = isExact && related.length === 1 && related.every((each) => each.every(({ isOneValue }) => isOneValue))
  const usable = isWalk ? related : await fewOf(ctx, related, maxRecords)
  if (usable.length === 0) return undefined
  const isAll = isExact && usable.length === related.length
  return collected(ctx, matching, page, isAll, (part) => firstOfRecords(ctx, usable, part, isWalk))
}

/** Returns the share of the contacts that `matching` selects among the newest; not 0, although none of these may match. */
export async function shareOfNewest(ctx: Context, matching: MatchingContacts): Promise<number> {
  const page = { order: contactOrder('-createdAt'), after: undefined, maxRows: sampled }
  const [row] = await select(ctx, (db) => matching(firstOf(db, page, sampled)).select(({ fn }) => fn.countAll<number>().as('count')))
  return Math.max(row?.count ?? 0, 1) / sampled
}

/** Lets a statement read the first contacts after the position alone. The key is a column, so that they are not sorted again. */
const firstOf = (db: Transaction, page: Page, maxContacts: number) =>
  db.with('contact', (all) =>
    ordered(amongNext(all.selectFrom('contact').selectAll().select(page.order.key.as('sort_key')), page, maxContacts), page)
      .where('contact.deleted_at', 'is', null)
      .limit(maxContacts),
  )

/** Returns whether the page begins after a name, which no condition finds in the index. */
const isAfterName = ({ order, after }: Page): boolean => after !== undefined && order.sort.endsWith('name')

/** Lets a statement read only the first contacts after a name. */
const amongNext = <Row>(
  contacts: SelectQueryBuilder<Schema, 'contact', Row>,
  page: Page,
  maxContacts: number,
): SelectQueryBuilder<Schema, 'contact', Row> =>
  isAfterName(page) ? contacts.where(sql<boolean>`contact.id = any((select ids from ${byName(page, maxContacts)})::uuid[])`) : contacts

const byName = ({ order: { direction }, after }: Page, maxContacts: number): RawBuilder<unknown> =>
  sql`contacts_by_name(${direction === 'desc'}, ${after?.value}, ${after?.id}::uuid, ${maxContacts}::integer)`

/** Contacts whose ids are read at a time. */
const maxByName = 100_000

async function contactsByName(ctx: Context, page: Page): Promise<Candidates> {
  const maxContacts = Math.min(page.maxRows, maxByName)
  const [next] = await selectSql(ctx, sql<Omit<Candidates, 'is_end'>>`select * from ${byName(page, maxContacts)}`)
  const ids = next?.ids ?? []
  return { ids, last_value: next?.last_value ?? null, is_end: ids.length < maxContacts }
}

const sorted = (contacts: Contacts, page: Page, key = page.order.key) =>
  ordered(contacts.selectAll('contact').select(sql<string>`(${key})::text`.as('sort_value')), page, key).limit(page.maxRows)

function ordered<Row>(
  query: SelectQueryBuilder<Schema, 'contact', Row>,
  { order, after }: Page,
  key = order.key,
): SelectQueryBuilder<Schema, 'contact', Row> {
  const inOrder = query.orderBy(key, order.direction).orderBy('contact.id', order.direction)
  if (after === undefined) return inOrder
  return inOrder.where(isAfter({ ...order, key }, after, sql`contact.id`))
}

/** Returns the first candidates after a position; undefined if there are too many to collect. */
type NextCandidates = (part: Page) => Promise<Candidates | undefined>

/** Candidates that are compared with the other conditions for each row of the page, before ten times as many are. */
const comparedPerMatch = 5

/** Reads the page from candidates; undefined if there are too many. */
async function collected(
  ctx: Context,
  matching: MatchingContacts,
  page: Page,
  isExact: boolean,
  next: NextCandidates,
): Promise<SortedRow[] | undefined> {
  const rows: SortedRow[] = []
  let after = page.after
  for (let wanted = isExact ? page.maxRows : comparedPerMatch * page.maxRows; ; wanted *= 10) {
    const candidates = await next({ ...page, after, maxRows: wanted })
    if (candidates === undefined) return undefined
    const { ids, last_value, is_end } = candidates
    const rest = { ...page, after: undefined, maxRows: page.maxRows - rows.length }
    rows.push(...(await select(ctx, (db) => sorted(amongIds(matching(db), ids), rest))))
    const last = ids.at(-1)
    if (rows.length >= page.maxRows || is_end || last === undefined || last_value === null) return rows
    after = { value: last_value, id: last }
  }
}

const amongIds = (contacts: Contacts, ids: readonly string[]): Contacts => contacts.where(sql<boolean>`contact.id = any(${ids}::uuid[])`)

/** Returns the first contacts with the facets; undefined if more than `maxContacts` have them. */
async function contactsOfFacets(
  ctx: Context,
  facets: Narrowing['facets'],
  { order, after, maxRows }: Page,
  maxContacts: number,
): Promise<Candidates | undefined> {
  const [next] = await selectSql(
    ctx,
    sql<Omit<Candidates, 'is_end'>>`select * from contacts_with_facets_in_order(
      ${JSON.stringify(facets)}::jsonb, ${order.sort}, ${after?.value}, ${after?.id}::uuid, ${maxRows}::integer, ${maxContacts}::integer)`,
  )
  return next && { ...next, is_end: next.ids.length < maxRows }
}

/** Reads the page from the contacts of all records, which no index has in its order; undefined if there are more than `maxRecords`. */
async function unordered(
  ctx: Context,
  matching: MatchingContacts,
  page: Page,
  related: readonly (readonly RelatedRecords[])[],
  maxRecords: number,
): Promise<SortedRow[] | undefined> {
  for (const records of related) {
    const ids = await contactsOfRecords(ctx, records, maxRecords)
    if (ids !== undefined) return select(ctx, (db) => sorted(amongIds(matching(db), ids), page))
  }
  return undefined
}
