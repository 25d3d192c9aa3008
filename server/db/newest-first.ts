import { sql, type SelectQueryBuilder } from 'kysely'
import { decodeCursor } from '../lib/cursor.ts'

/**
 * The rows of one page of a list, and one more that tells `pageOf` of the next page. `table` is the one of the query
 * whose rows are listed.
 * @throws AppError `bad_request`, field `cursor`
 */
export function newestFirst<DB, TB extends keyof DB & string, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: TB,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): SelectQueryBuilder<DB, TB, Row> {
  const createdAt = sql.ref(`${table}.created_at`)
  const id = sql.ref(`${table}.id`)
  const page = query
    .orderBy(createdAt, 'desc')
    .orderBy(id, 'desc')
    .limit(limit + 1)
  if (cursor === undefined) return page
  const after = decodeCursor(cursor)
  return page.where(sql<boolean>`(${createdAt}, ${id}) < (${after.createdAt}, ${after.id}::uuid)`)
}
