import type { Company, ListCompanies } from '@groundwork/api'
import { sql } from 'kysely'
import { select, type Context } from '../context.ts'
import { searchReadings } from '../contacts/search-terms.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { Transaction } from '../db/schema.ts'
import { pageOf } from '../lib/cursor.ts'
import { likePattern } from '../lib/like.ts'
import { toCompany } from './record.ts'

/**
 * Returns a page of companies, newest first.
 * @throws AppError `bad_request`, field `cursor`
 */
export async function listCompanies(ctx: Context, input: ListCompanies): Promise<{ data: Company[]; nextCursor: string | null }> {
  const found = await select(ctx, (db) => newestFirst(matchingCompanies(db, input).selectAll('company'), 'company', input))
  const { rows, nextCursor } = pageOf(found, input.limit)
  return { data: rows.map(toCompany), nextCursor }
}

function matchingCompanies(db: Transaction, { q, domain, tag, externalId }: ListCompanies) {
  let query = db.selectFrom('company').where('deleted_at', 'is', null)
  if (externalId !== undefined) query = query.where('external_id', '=', externalId)
  if (tag !== undefined) query = query.where(sql<boolean>`tags @> ${tag}::text[]`)
  if (domain !== undefined) {
    query = query.where('id', 'in', (of) => of.selectFrom('company_domain').select('company_id').where('domain', '=', domain))
  }
  if (q === undefined) return query
  const words = searchReadings(q).at(-1) ?? []
  const patterns = words.map(({ part }) => likePattern(part))
  return query.where(words.length === 0 ? sql<boolean>`false` : sql<boolean>`search_text like all (${patterns}::text[])`)
}
