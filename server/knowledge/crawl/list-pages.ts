import type { ListSourcePages, SourcePage } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { withTransaction, type Context } from '../../context.ts'
import type { SourcePageTable } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
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
      .where('source_id', '=', sourceId)
      .where('status', 'is not', null)
      .orderBy('depth')
      .orderBy('place')
      .orderBy('id')
      .limit(input.limit + 1)
    if (input.status !== undefined) query = query.where('status', '=', input.status)
    if (input.cursor !== undefined) {
      const { depth, place, id } = decodePosition(input.cursor)
      query = query.where(sql<boolean>`(depth, place, id) > (${depth}::integer, ${place}::integer, ${id}::uuid)`)
    }
    const rows = await query.execute()
    const shown = rows.slice(0, input.limit)
    const last = shown.at(-1)
    return { data: shown.map(toSourcePage), nextCursor: rows.length > input.limit && last !== undefined ? encodePosition(last) : null }
  })
}

/** The position of a page in the crawl. Pages of the former crawl, which the present one has not found yet, can have the same place. */
type Position = Pick<Selectable<SourcePageTable>, 'depth' | 'place' | 'id'>

const encodePosition = ({ depth, place, id }: Position): string => Buffer.from(`${depth}.${place}.${id}`).toString('base64url')

/** @throws AppError `bad_request`, field `cursor`, unless `encodePosition` created it */
function decodePosition(cursor: string): Position {
  const [, depth, place, id] =
    /^(\d{1,9})\.(\d{1,9})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (id === undefined) throw new AppError('bad_request', 'cursor must be a nextCursor that this list returned', { field: 'cursor' })
  return { depth: Number(depth), place: Number(place), id }
}
