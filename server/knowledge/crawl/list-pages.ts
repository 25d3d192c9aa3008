import type { ListSourcePages, SourcePage } from '@groundwork/api'
import { sql } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import { decodeCursor, pageOf } from '../../lib/cursor.ts'
import { requireSource } from '../rows/require-source.ts'
import { toSourcePage } from './page-rows.ts'

/**
 * Returns the outcome of each page in crawl order; empty for a source that is not a site.
 * @throws AppError `not_found` for the source
 */
export function listSourcePages(
  ctx: Context,
  baseId: string,
  sourceId: string,
  input: ListSourcePages,
): Promise<{ data: SourcePage[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    await requireSource(trx, baseId, sourceId)
    let query = trx
      .selectFrom('source_page')
      .selectAll()
      .select('listed_at as created_at')
      .where('source_id', '=', sourceId)
      .where('status', 'is not', null)
      .orderBy('listed_at')
      .orderBy('id')
      .limit(input.limit + 1)
    if (input.status !== undefined) query = query.where('status', '=', input.status)
    if (input.cursor !== undefined) {
      const after = decodeCursor(input.cursor)
      query = query.where(sql<boolean>`(listed_at, id) > (${after.createdAt}, ${after.id}::uuid)`)
    }
    const page = pageOf(await query.execute(), input.limit)
    return { data: page.rows.map(toSourcePage), nextCursor: page.nextCursor }
  })
}
