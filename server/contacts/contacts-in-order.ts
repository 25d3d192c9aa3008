import { sql, type SelectQueryBuilder } from 'kysely'
import { select, selectSql, type Context } from '../context.ts'
import type { Schema, Transaction } from '../db/schema.ts'
import type { Facet } from './facets.ts'
import type { ContactOrder } from './order.ts'
import type { ContactRow } from './record.ts'

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

/** Facets that narrow a list. */
export interface Narrowing {
  /** Each matching contact has one of each element. */
  readonly facets: readonly (readonly Facet[])[]
  /** Whether nearly all contacts with them match. */
  readonly isExact: boolean
}

type SortedRow = ContactRow & { sort_value: string }

/** Contacts that are collected and sorted without reading the list. */
const few = 2500
/** Contacts that are collected and sorted if the list would have to be read for long. */
const many = 200_000
/** Contacts of the list that show how many others have to be read for a page. */
const sampled = 1000
/** Reading so many contacts takes about as long as collecting those with a facet. */
const maxRead = 12_000

/**
 * Reads a page of the contacts that `matching` selects. If facets narrow them, either the contacts with these are collected and sorted, or
 * the list is read in its order until the page is full, whichever reads fewer contacts.
 */
export async function contactsInOrder(
  ctx: Context,
  matching: MatchingContacts,
  page: Page,
  { facets, isExact }: Narrowing,
): Promise<SortedRow[]> {
  const read = (maxContacts?: number): Promise<SortedRow[]> =>
    select(ctx, (db) =>
      maxContacts === undefined
        ? sorted(matching(db), page)
        : sorted(matching(firstOf(db, page, maxContacts)), page, sql`contact.sort_key`),
    )
  if (facets.length === 0) return read()
  const collect = (maxContacts: number): Promise<SortedRow[] | undefined> =>
    collected(ctx, matching, page, { facets, isExact, maxContacts })
  const rare = await collect(few)
  if (rare !== undefined) return rare
  const sample = await read(sampled)
  if (sample.length >= page.maxRows) return sample
  if (sample.length * maxRead >= page.maxRows * sampled) {
    const rows = await read(2 * maxRead)
    if (rows.length >= page.maxRows) return rows
  }
  return (await collect(many)) ?? read()
}

/** Lets a statement read the first contacts after the position alone. The key is a column, so that they are not sorted again. */
const firstOf = (db: Transaction, page: Page, maxContacts: number) =>
  db.with('contact', (all) =>
    ordered(all.selectFrom('contact').selectAll().select(page.order.key.as('sort_key')), page)
      .where('contact.deleted_at', 'is', null)
      .limit(maxContacts),
  )

const sorted = (contacts: Contacts, page: Page, key = page.order.key) =>
  ordered(contacts.selectAll('contact').select(sql<string>`(${key})::text`.as('sort_value')), page, key).limit(page.maxRows)

function ordered<Row>(
  query: SelectQueryBuilder<Schema, 'contact', Row>,
  { order, after }: Page,
  key = order.key,
): SelectQueryBuilder<Schema, 'contact', Row> {
  const inOrder = query.orderBy(key, order.direction).orderBy('contact.id', order.direction)
  if (after === undefined) return inOrder
  return inOrder.where(sql<boolean>`(${key}, contact.id) ${order.beyond} (${after.value}::${order.type}, ${after.id}::uuid)`)
}

/** Reads the page from the contacts with the facets; undefined if there are more than `maxContacts`. */
async function collected(
  ctx: Context,
  matching: MatchingContacts,
  page: Page,
  { facets, isExact, maxContacts }: Narrowing & { maxContacts: number },
): Promise<SortedRow[] | undefined> {
  const rows: SortedRow[] = []
  let after = page.after
  for (let wanted = isExact ? page.maxRows : few; ; wanted *= 10) {
    const [next] = await selectSql(
      ctx,
      sql<{ ids: string[]; last_value: string | null }>`select * from contacts_with_facets_in_order(
        ${JSON.stringify(facets)}::jsonb, ${page.order.sort}, ${after?.value}, ${after?.id}::uuid, ${wanted}::integer, ${maxContacts}::integer)`,
    )
    if (next === undefined) return undefined
    const { ids, last_value } = next
    const rest = { ...page, after: undefined, maxRows: page.maxRows - rows.length }
    rows.push(...(await select(ctx, (db) => sorted(matching(db).where(sql<boolean>`contact.id = any(${ids}::uuid[])`), rest))))
    const last = ids.at(-1)
    if (rows.length >= page.maxRows || ids.length < wanted || last === undefined || last_value === null) return rows
    after = { value: last_value, id: last }
  }
}
