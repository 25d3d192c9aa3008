import { withTransaction } from '../../context.ts'
import type { Handlers } from '../../jobs/jobs.ts'
import { SourceError } from '../../lib/errors.ts'
import type { KnowledgeContext } from '../context.ts'
import { isRetried, toSourceError, Superseded } from '../rows/attempt.ts'
import type { Build } from './build-fence.ts'
import { buildSource } from './build-source.ts'
import { embedsWith, endBuild } from './end-build.ts'
import type { BuildShadow } from './queue.ts'

/** Handles the jobs of re-indexes: each chunks and embeds the stored text of a source without changing the live index. */
export function buildShadowHandlers(context: (organizationId: string) => KnowledgeContext): Handlers<BuildShadow> {
  const buildOf = (data: BuildShadow, signal: AbortSignal): Build => ({ ...data, ctx: context(data.organizationId), signal })
  return {
    async work({ data, retries, signal }) {
      const build = buildOf(data, signal)
      try {
        // Otherwise `endBuild` fails the re-index.
        if (await targetsOurModel(build)) await buildSource(build)
        await endBuild(build, 'built')
      } catch (error) {
        if (error instanceof Superseded) return endBuild(build, 'superseded')
        if (signal.aborted) throw error
        const reason = toSourceError(error, 'indexing')
        build.ctx.log.warn({ err: error, sourceId: data.sourceId, errorCode: reason.code, retries }, 're-indexing a source failed')
        if (isRetried(reason, retries)) throw error
        await endBuild(build, reason)
      }
    },
    abandoned: (data) =>
      endBuild(buildOf(data, new AbortController().signal), new SourceError('internal', 'Indexing was interrupted too many times.')),
  }
}

/** Returns whether the re-index is for the embedding model of this process. */
async function targetsOurModel({ ctx, reindexId }: Build): Promise<boolean> {
  const row = await withTransaction(ctx, (trx) =>
    trx.selectFrom('reindex').select('settings_after').where('id', '=', reindexId).executeTakeFirst(),
  )
  return row !== undefined && embedsWith(ctx.embedder.model, row)
}
