import { withTransaction } from '../../context.ts'
import { embedAndWriteChunks } from '../ingest/write-chunks.ts'
import { deleteGeneration, finishRemoval } from '../index/remove.ts'
import { countChunks } from '../index/write.ts'
import { fenceBuild, noteBuild, type Build } from './build-fence.ts'
import { explainMissing, storedText } from './stored-chunks.ts'
import { targetOf } from './targets.ts'

/**
 * Writes the index of one source for a re-index, which no search reads yet. A killed build resumes after its last batch.
 * @throws SourceError; Superseded
 */
export async function buildSource(build: Build): Promise<void> {
  const text = await storedText(build)
  const { baseId, chunking, written } = await begin(build, text.digest)
  if (written === 0) await finishRemoval(build.ctx, build)
  const of = { organizationId: build.organizationId, baseId, sourceId: build.sourceId, generation: build.generation }
  try {
    await embedAndWriteChunks(build, of, text.chunks(chunking), written, async (trx, from, { done }) => {
      const row = await fenceBuild(trx, build)
      if (row.chunks !== from) throw new Error(`another worker is building source ${build.sourceId}`)
      await noteBuild(trx, build, { chunks: done })
    })
  } catch (error) {
    throw await explainMissing(build, error)
  }
}

/** Restarts a build of other texts or of another embedding model. */
function begin(build: Build, digest: string) {
  return withTransaction(build.ctx, async (trx) => {
    const row = await fenceBuild(trx, build)
    const reindex = await trx.selectFrom('reindex').selectAll().where('id', '=', build.reindexId).executeTakeFirstOrThrow()
    const source = await trx.selectFrom('source').select('rag_settings_override').where('id', '=', build.sourceId).executeTakeFirstOrThrow()
    const { chunking, indexConfig } = targetOf(build.ctx.embedder, reindex, source)
    if (row.made_of !== digest || row.index_config !== indexConfig) {
      await deleteGeneration(build.ctx, trx, { baseId: row.base_id, generation: build.generation })
      await noteBuild(trx, build, { made_of: digest, index_config: indexConfig, chunks: 0 })
    }
    return { baseId: row.base_id, chunking, written: await countChunks(trx, build.generation) }
  })
}
