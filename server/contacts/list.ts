import type { Contact, ListContacts } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { newestFirst } from '../db/newest-first.ts'
import { pageOf } from '../lib/cursor.ts'
import { toE164 } from './phone.ts'
import { rankedContacts } from './ranked.ts'
import { toContact } from './record.ts'

export interface ContactPage {
  data: Contact[]
  nextCursor: string | null
  /** Number of matches on all pages; null unless the request has `count`. */
  total: number | null
}

/**
 * Returns a page of contacts, newest first, or with `q` the best match first. Contacts created between two requests do not
 * shift the pages.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listContacts(ctx: Context, input: ListContacts): Promise<ContactPage> {
  const { q } = input
  if (q !== undefined) {
    const { rows, ...page } = await rankedContacts(ctx, (db) => matchingContacts(db, input), { ...input, q })
    return { data: rows.map(toContact), ...page }
  }
  const found = await select(ctx, (db) => newestFirst(matchingContacts(db, input).selectAll(), 'contact', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toContact), nextCursor, total: input.count ? await countContacts(ctx, input) : null }
}

/** Returns the number of contacts that are not deleted. */
export async function contactTotal(ctx: Context): Promise<number> {
  return countContacts(ctx, {})
}

async function countContacts(ctx: Context, input: Matching): Promise<number> {
  const [counted] = await select(ctx, (db) => matchingContacts(db, input).select(({ fn }) => fn.countAll<number>().as('total')))
  return counted?.total ?? 0
}

type Matching = Partial<ListContacts>

function matchingContacts(trx: Transaction, input: Matching) {
  let query = trx.selectFrom('contact').where('deleted_at', 'is', null)
  if (input.email !== undefined) query = query.where('email', '=', input.email)
  // Older records may contain an invalid number, which only matches as it was written.
  if (input.phone !== undefined) query = query.where('phone', 'in', [input.phone, toE164(input.phone) ?? input.phone])
  if (input.externalId !== undefined) query = query.where('external_id', '=', input.externalId)
  if (input.tag !== undefined) query = query.where(sql<boolean>`tags @> ${input.tag}::text[]`)
  if (input.createdAfter !== undefined) query = query.where('contact.created_at', '>=', new Date(input.createdAfter))
  if (input.createdBefore !== undefined) query = query.where('contact.created_at', '<', new Date(input.createdBefore))
  return query
}
