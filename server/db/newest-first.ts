import { sql, type SelectQueryBuilder } from 'kysely'
import { decodeCursor, type Position } from '../lib/cursor.ts'

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
  return newestFirstAfter(query, table, { maxRows: limit + 1, ...(cursor !== undefined && decodeCursor(cursor)) })
}

/** The newest rows; with a position, the newest ones of those after it. */
export function newestFirstAfter<DB, TB extends keyof DB & string, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  table: TB,
  { maxRows, createdAt: afterTime, id: afterId }: { maxRows: number } & { [Field in keyof Position]?: Position[Field] | undefined },
): SelectQueryBuilder<DB, TB, Row> {
  const createdAt = sql.ref(`${table}.created_at`)
  const id = sql.ref(`${table}.id`)
  const page = query.orderBy(createdAt, 'desc').orderBy(id, 'desc').limit(maxRows)
  return afterTime === undefined ? page : page.where(sql<boolean>`(${createdAt}, ${id}) < (${afterTime}, ${afterId}::uuid)`)
}
