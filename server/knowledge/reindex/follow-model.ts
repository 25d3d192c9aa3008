import { select, withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import type { OwnerQuery } from '../../db/owner-query.ts'
import type { OrganizationWork } from '../../work.ts'
import { enqueueWork } from '../../work.ts'
import type { KnowledgeContext } from '../context.ts'
import { storedSettings } from '../rows/settings.ts'
import { beginReindex } from './begin.ts'
import { embedsWith } from './end-build.ts'
import { cancelUnswitched } from './reindexes.ts'
import { lockBaseForReindex, lockUnswitchedReindex } from './rows.ts'

interface FollowModel {
  readonly baseId: string
}

/**
 * Begins a re-index that switches by itself if a knowledge base has vectors of another embedding model than the program's. Cancels
 * a re-index of another model, which could not be switched to.
 */
export const followModelWork: OrganizationWork<FollowModel, KnowledgeContext> = {
  name: 'follow-embedding-model',
  async run(ctx, { baseId }) {
    // The knowledge base can have been deleted.
    const [found] = await select(ctx, (db) => db.selectFrom('base').select('id').where('id', '=', baseId))
    if (found === undefined) return
    await withTransaction(ctx, async (trx) => {
      const base = await lockBaseForReindex(trx, baseId)
      const open = await lockUnswitchedReindex(trx, baseId)
      if (open !== undefined && embedsWith(ctx.embedder.model, open)) return
      if (!(await hasOtherModel(ctx, trx, baseId))) return
      if (open !== undefined) await cancelUnswitched(ctx, trx, open.id)
      const settings = storedSettings(base.rag_settings)
      await beginReindex(ctx, trx, baseId, { before: settings, after: settings, switchWhenReady: true, field: 'chunkSize' })
    })
  },
}

async function hasOtherModel(ctx: KnowledgeContext, trx: Transaction, baseId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('source')
    .select('id')
    .where('base_id', '=', baseId)
    .where('live_generation', 'is not', null)
    .where('embedding_model', '<>', ctx.embedder.model)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Enqueues `followModelWork` for every knowledge base with vectors of another embedding model, and returns their number. Call it
 * when a program that runs jobs starts.
 */
export async function followModel(
  context: (organizationId: string) => KnowledgeContext,
  query: OwnerQuery,
  model: string,
): Promise<number> {
  const bases = await query<{ organization_id: string; base_id: string }>(
    'select distinct organization_id, base_id from source where live_generation is not null and embedding_model <> $1 order by 1, 2',
    [model],
  )
  for (const { organization_id: organizationId, base_id: baseId } of bases) {
    const ctx = context(organizationId)
    await withTransaction(ctx, (trx) => enqueueWork(ctx, trx, followModelWork, { baseId }))
  }
  return bases.length
}

/**
 * Loads the embedding models that searches need, so that none waits for them: the program's if there is a knowledge base, and former ones
 * whose vectors knowledge bases have. Call it before a program answers searches.
 * @throws Error if the program's model cannot be loaded
 */
export async function loadModels(
  query: OwnerQuery,
  { embedder, formerModels }: Pick<KnowledgeContext, 'embedder' | 'formerModels'>,
): Promise<void> {
  const models = await query<{ model: string }>(
    'select distinct embedding_model as model from source where live_generation is not null and embedding_model <> $1 order by 1',
    [embedder.model],
  )
  const [base] = await query('select id from base limit 1', [])
  await Promise.all([base === undefined ? undefined : embedder.load?.(), ...models.map(({ model }) => formerModels.find(model))])
}
