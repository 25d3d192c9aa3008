import type { Base, UpdateBase } from '@groundwork/api'
import { isDeepStrictEqual } from 'node:util'
import { withTransaction } from '../../context.ts'
import { changedColumns, isEmpty } from '../../db/changed-columns.ts'
import { defer } from '../../db/deferred.ts'
import { emit } from '../../events/emit.ts'
import type { KnowledgeContext } from '../context.ts'
import { followChunking } from '../reindex/follow-chunking.ts'
import { lockBaseForReindex } from '../reindex/rows.ts'
import { followLogSettings, retrievalLogColumns } from '../retrievals/settings.ts'
import { lockBase, readBase } from '../rows/bases.ts'
import { mergeSettings, storedSettings } from '../rows/settings.ts'

/**
 * Changes the knowledge base. One that has all values already is not changed: there is no event. New chunking settings apply to sources processed from now on; a re-index that switches by itself
 * applies them to the others.
 * @throws AppError `not_found`, `validation_error` if the settings conflict with each other or with those of a source,
 * `conflict` if they change the chunking while a manual re-index is open
 */
export function updateBase(ctx: KnowledgeContext, baseId: string, input: UpdateBase): Promise<Base> {
  return withTransaction(ctx, async (trx) => {
    const row = await (namesChunking(input) ? lockBaseForReindex(trx, baseId) : lockBase(trx, baseId, 'update'))
    const before = storedSettings(row.rag_settings)
    const after = mergeSettings(before, input.ragSettings, 'ragSettings')
    const changed = changedColumns(row, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.description !== undefined && { description: input.description }),
      ...(input.starred !== undefined && { starred: input.starred }),
      ...(input.language !== undefined && { language: input.language }),
      ...retrievalLogColumns(input),
      ...(!isDeepStrictEqual(before, after) && { rag_settings: JSON.stringify(after) }),
    })
    if (isEmpty(changed)) return readBase(ctx, trx, baseId)
    const update = trx
      .updateTable('base')
      .set({ ...changed, updated_at: ctx.now() })
      .where('id', '=', baseId)
    await defer(trx, update.compile())
    await followLogSettings(ctx, trx, row)
    await followChunking(ctx, trx, baseId, { before, after })
    const base = await readBase(ctx, trx, baseId)
    await emit(ctx, trx, 'base.updated', base)
    return base
  })
}

const namesChunking = ({ ragSettings: { chunkingStrategy, chunkSize, chunkOverlap } = {} }: UpdateBase): boolean =>
  [chunkingStrategy, chunkSize, chunkOverlap].some((value) => value !== undefined)
