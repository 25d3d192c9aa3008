import type { Base, CreateBase, ListBases } from '@groundwork/api'
import { sql, type RawBuilder } from 'kysely'
import { repeatedOnDeadlock, select, withTransaction, type Context } from '../../context.ts'
import type { KnowledgeServices } from '../context.ts'
import { defer } from '../../db/deferred.ts'
import { emit } from '../../events/emit.ts'
import { newestFirst } from '../../db/newest-first.ts'
import { pageOf } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { likePattern } from '../../lib/like.ts'
import { deletePageFiles } from '../crawl/page-rows.ts'
import { enqueueFileDeletion } from '../uploads/delete-files.ts'
import { dropRetrievals } from '../retrievals/retention.ts'
import { retrievalLogColumns } from '../retrievals/settings.ts'
import { deleteBaseIndex } from '../index/remove.ts'
import { toBase, withStats } from '../rows/base-record.ts'
import { lockBase, readBase } from '../rows/bases.ts'
import { mergeSettings } from '../rows/settings.ts'

type BaseContext = Context & Pick<KnowledgeServices, 'embedder'>

/** @throws AppError `validation_error` if the settings conflict, `forbidden` if the actor is limited to some knowledge bases */
export async function createBase(ctx: BaseContext, input: CreateBase): Promise<Base> {
  if ((ctx.actor?.baseIds ?? null) !== null)
    throw new AppError('forbidden', 'The API token is limited to some knowledge bases and cannot create others.')
  const settings = mergeSettings(null, input.ragSettings, 'ragSettings')
  const base = await withTransaction(ctx, async (trx) => {
    const now = ctx.now()
    const id = newId(now.getTime())
    await trx
      .insertInto('base')
      .values({
        organization_id: ctx.organizationId,
        id,
        name: input.name,
        description: input.description,
        starred: input.starred,
        rag_settings: JSON.stringify(settings),
        language: input.language,
        ...retrievalLogColumns(input),
        created_at: now,
        updated_at: now,
      })
      .execute()
    const created = await readBase(ctx, trx, id)
    await emit(ctx, trx, 'base.created', created)
    return created
  })
  // The first search would otherwise wait for the model.
  ctx.embedder.load?.().catch((error: unknown) => ctx.log.error({ err: error }, 'the embedding model cannot be loaded'))
  return base
}

/** @throws AppError `not_found` */
export function getBase(ctx: BaseContext, baseId: string): Promise<Base> {
  return withTransaction(ctx, (trx) => readBase(ctx, trx, baseId))
}

/** Returns knowledge bases, newest first. */
export function listBases(ctx: BaseContext, { q, ...input }: ListBases): Promise<{ data: Base[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    let query = withStats(trx)
    if (q !== undefined) query = query.where(hasText(q))
    const page = pageOf(await newestFirst(query, 'base', input).execute(), input.limit)
    return { data: page.rows.map((row) => toBase(row, ctx.embedder)), nextCursor: page.nextCursor }
  })
}

const hasText = (q: string): RawBuilder<boolean> => {
  const pattern = likePattern(q.toLowerCase())
  return sql<boolean>`(lower(base.name) like ${pattern} or lower(base.description) like ${pattern})`
}

export async function baseTotal(ctx: Context): Promise<number> {
  const [counted] = await select(ctx, (db) => db.selectFrom('base').select(({ fn }) => fn.countAll<number>().as('total')))
  return counted?.total ?? 0
}

/**
 * Deletes the knowledge base with all its contents in one transaction; jobs delete its files, and the rows of a large index.
 * @throws AppError `not_found`
 */
export function deleteBase(ctx: BaseContext, baseId: string): Promise<void> {
  // The processing of a source that is added during the deletion can lock it first, and wait for the knowledge base: a deadlock.
  return repeatedOnDeadlock(ctx, () => deleteOnce(ctx, baseId))
}

function deleteOnce(ctx: BaseContext, baseId: string): Promise<void> {
  return withTransaction(ctx, async (trx) => {
    // A transaction that has locked a source may want to lock the knowledge base and its contents: waits for it first.
    await trx.selectFrom('source').select('id').where('base_id', '=', baseId).orderBy('id').forUpdate().execute()
    await lockBase(trx, baseId, 'update')
    const base = await readBase(ctx, trx, baseId)
    await defer(trx, trx.deleteFrom('reindex').where('base_id', '=', baseId).compile())
    const documents = await trx.deleteFrom('document').where('base_id', '=', baseId).returning(['original_key', 'content_key']).execute()
    await deletePageFiles(ctx, trx, { baseId })
    await deleteBaseIndex(ctx, trx, baseId)
    await trx.deleteFrom('source').where('base_id', '=', baseId).execute()
    await defer(trx, trx.deleteFrom('base').where('id', '=', baseId).compile())
    await dropRetrievals(ctx, trx, baseId)
    await enqueueFileDeletion(
      ctx,
      trx,
      documents.flatMap((document) => [document.original_key, document.content_key]),
    )
    await emit(ctx, trx, 'base.deleted', base)
  })
}
