import { wireId, type ListChunks, type SourceChunk, type SourceContent } from '@groundwork/api'
import { atomically, type Context } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'
import type { ExtractedDocument } from '../extract/document.ts'
import { readChunks } from '../search/read-chunks.ts'
import { requireSource } from './require.ts'

/**
 * The chunks that are searched, in their order.
 * @throws AppError `not_found`
 */
export function listChunks(
  ctx: Context,
  baseId: string,
  sourceId: string,
  { limit, cursor }: ListChunks,
): Promise<{ data: SourceChunk[]; nextCursor: string | null }> {
  return atomically(ctx, async (trx) => {
    const { live_generation: generation } = await requireSource(trx, baseId, sourceId)
    const from = cursor === undefined ? 0 : decodeOrdinal(cursor) + 1
    if (generation === null) return { data: [], nextCursor: null }
    const rows = await readChunks(trx, generation, { from, limit: limit + 1 })
    const data = rows.slice(0, limit).map(({ id, ...chunk }) => ({ id: wireId('chk', id), ...chunk }))
    const last = data.at(-1)
    return { data, nextCursor: rows.length > limit && last !== undefined ? encodeOrdinal(last.ordinal) : null }
  })
}

const encodeOrdinal = (ordinal: number): string => Buffer.from(`o${ordinal}`).toString('base64url')

function decodeOrdinal(cursor: string): number {
  const match = /^o(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match === null) throw new AppError('bad_request', 'cursor is not one that this list returned', { field: 'cursor' })
  return Number(match[1])
}

/**
 * The text into which citations point.
 * @throws AppError `not_found` for the source, or while there is no text
 */
export async function getContent(ctx: Context, baseId: string, sourceId: string): Promise<SourceContent> {
  const key = await atomically(ctx, async (trx) => {
    const source = await requireSource(trx, baseId, sourceId)
    const document = await trx
      .selectFrom('document')
      .select('content_key')
      .where('generation', '=', source.live_generation ?? source.generation)
      .where('source_id', '=', source.id)
      .where('ordinal', '=', 0)
      .executeTakeFirst()
    return document?.content_key ?? null
  })
  if (key === null) throw new AppError('not_found', 'nothing has been read of this source yet')
  const { title, mediaType, language, pages, text } = JSON.parse((await ctx.storage.read(key)).toString()) as ExtractedDocument
  return { title, mediaType, language, pages, text }
}
