import { wireId } from '@groundwork/api'
import { sql, type Selectable } from 'kysely'
import { audit } from '../../audit/audit.ts'
import { defer } from '../../db/deferred.ts'
import type { SourceTable, Transaction } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { KnowledgeContext } from '../context.ts'
import { advanceReindex } from './advance.ts'
import { enqueueDrop } from './drop.ts'
import { chunkingIn, type Chunking, type ReindexRow } from './rows.ts'
import { targetOf } from './targets.ts'

interface Beginning {
  /** The settings that a rollback restores. */
  readonly before: Chunking
  readonly after: Chunking
  readonly switchWhenReady: boolean
  /** The field of the request that conflicts with the settings of a source. */
  readonly field: string
}

/**
 * Begins a re-index of a knowledge base without another one that is building or ready. The caller has locked the knowledge base
 * and its sources. Deletes the index that the last switch kept.
 * @throws AppError `validation_error` if the settings conflict with those of a source
 */
export async function beginReindex(
  ctx: KnowledgeContext,
  trx: Transaction,
  baseId: string,
  { before, after, switchWhenReady, field }: Beginning,
): Promise<ReindexRow> {
  const [switched, models, own] = await Promise.all([forgetSwitched(trx, baseId), modelsOf(trx, baseId), ownSettings(trx, baseId)])
  for (const { id } of switched) await enqueueDrop(ctx, trx, id)
  const now = ctx.now()
  const row = await trx
    .insertInto('reindex')
    .values({
      organization_id: ctx.organizationId,
      id: newId(now.getTime()),
      base_id: baseId,
      status: 'building',
      switch_when_ready: switchWhenReady,
      settings_before: JSON.stringify({ ...chunkingIn(before), embeddingModels: models }),
      settings_after: JSON.stringify({ ...chunkingIn(after), embeddingModels: [ctx.embedder.model] }),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  requireFit(ctx, row, own, field)
  await takeSources(ctx, trx, row)
  await advanceReindex(ctx, trx, row)
  await audit(ctx, trx, { action: 'reindex.started', target: wireId('rix', row.id) })
  return trx.selectFrom('reindex').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
}

/** Ends the possible rollback of the last switch, and returns its re-index. */
const forgetSwitched = (trx: Transaction, baseId: string): Promise<{ id: string }[]> =>
  trx
    .updateTable('reindex')
    .set({ kept_until: null })
    .where('base_id', '=', baseId)
    .where('status', '=', 'switched')
    .where('kept_until', 'is not', null)
    .returning('id')
    .execute()

type SourceSettings = Pick<Selectable<SourceTable>, 'id' | 'rag_settings_override'>

/** Returns the sources with settings of their own. */
const ownSettings = (trx: Transaction, baseId: string): Promise<SourceSettings[]> =>
  trx
    .selectFrom('source')
    .select(['id', 'rag_settings_override'])
    .where('base_id', '=', baseId)
    .where('rag_settings_override', 'is not', null)
    .execute()

async function modelsOf(trx: Transaction, baseId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('source')
    .select('embedding_model')
    .distinct()
    .where('base_id', '=', baseId)
    .where('live_generation', 'is not', null)
    .orderBy('embedding_model')
    .execute()
  return rows.flatMap(({ embedding_model }) => embedding_model ?? [])
}

/** @throws AppError `validation_error` that names a source whose own settings conflict with the new ones */
function requireFit(ctx: KnowledgeContext, reindex: ReindexRow, own: readonly SourceSettings[], field: string): void {
  for (const source of own) {
    try {
      targetOf(ctx.embedder, reindex, source)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      throw new AppError('validation_error', `${field} conflicts with the settings of ${wireId('src', source.id)}: ${error.message}`, {
        field,
      })
    }
  }
}

/** Adds the sources. Those with the same index configuration are done; sources with settings of their own are checked at their build. */
async function takeSources(ctx: KnowledgeContext, trx: Transaction, reindex: ReindexRow): Promise<void> {
  const { indexConfig } = targetOf(ctx.embedder, reindex, { rag_settings_override: null })
  const insertion = sql`
    with taken as (
      select id, base_id, live_generation, rag_settings_override is null and index_config = ${indexConfig} as done from source
      where organization_id = (select app_organization()) and base_id = ${reindex.base_id}::uuid and live_generation is not null
    ), measured as (
      select generation, count(*)::integer as chunks, sum(tokens)::bigint as tokens from chunk
      where organization_id = (select app_organization()) and generation in (select live_generation from taken where done)
      group by generation
    )
    insert into reindex_source (organization_id, reindex_id, source_id, base_id, status, of_generation, chunks, tokens, chunks_before, tokens_before)
    select (select app_organization()), ${reindex.id}::uuid, t.id, t.base_id, case when t.done then 'done' else 'waiting' end,
      case when t.done then t.live_generation end,
      coalesce(m.chunks, 0), coalesce(m.tokens, 0), coalesce(m.chunks, 0), coalesce(m.tokens, 0)
    from taken t left join measured m on m.generation = t.live_generation`
  await defer(trx, insertion.compile(trx))
}
