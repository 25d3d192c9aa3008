import type { Company, ListCompanies } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import {
  containsFields,
  customFieldConditions,
  inFieldRanges,
  readFieldFilter,
  type CustomFieldConditions,
} from '../custom-fields/filter.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { toCompany } from './record.ts'

/**
 * Returns a page of companies, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listCompanies(ctx: Context, input: ListCompanies): Promise<{ data: Company[]; nextCursor: string | null }> {
  const conditions = customFieldConditions(await readFieldFilter(ctx, 'company', input.customField))
  const found = await select(ctx, (db) =>
    newestFirst(matchingCompanies(db, { ...input, ...conditions }).selectAll('company'), 'company', input),
  )
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toCompany), nextCursor }
}

function matchingCompanies(
  db: Transaction,
  { q, domain, tag, externalId, fieldsContain, fieldRanges }: ListCompanies & CustomFieldConditions,
) {
  let query = db.selectFrom('company').where('deleted_at', 'is', null)
  if (externalId !== undefined) query = query.where('external_id', '=', externalId)
  if (fieldsContain !== undefined) query = query.where(containsFields(fieldsContain))
  if (fieldRanges !== undefined) query = query.where(inFieldRanges(fieldRanges))
  if (tag !== undefined) query = query.where(sql<boolean>`lower_tags(tags) @> lower_tags(${tag}::text[])`)
  if (domain !== undefined) {
    query = query.where('id', 'in', (of) => of.selectFrom('company_domain').select('company_id').where('domain', '=', domain))
  }
  if (q === undefined) return query
  // `contact_words` leaves no character that has a meaning in patterns.
  return query.where(
    sql<boolean>`contact_words(${q}) <> '' and search_text like all (
      array(select '%' || word || '%' from unnest(string_to_array(contact_words(${q}), ' ')) as word))`,
  )
}
