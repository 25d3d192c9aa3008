import { RagSettingsOverride } from '@groundwork/api'
import { withTransaction } from '../../context.ts'
import { defer } from '../../db/deferred.ts'
import type { Transaction } from '../../db/schema.ts'
import type { Handlers } from '../../jobs/jobs.ts'
import { SourceError } from '../../lib/errors.ts'
import { measured, type IngestionOutcome, type IngestionStep } from '../../lib/measurements.ts'
import type { KnowledgeContext } from '../context.ts'
import { withExpectedLanguage } from '../extract/extractor.ts'
import { deleteGeneration, finishRemoval } from '../index/remove.ts'
import { countChunks, type IndexTarget } from '../index/write.ts'
import {
  advance,
  enterStage,
  isRetried,
  toSourceError,
  Superseded,
  updateFenced,
  type Attempt,
  type ProcessSource,
} from '../rows/attempt.ts'
import { selectFirstDocument } from '../rows/documents.ts'
import { chunkingOf, indexConfig, mergeSettings, storedSettings } from '../rows/settings.ts'
import { refuseChunksBeyondQuota } from './chunk-quota.ts'
import { failSource, keepServing, switchOver } from './settle.ts'
import type { DocumentChunks, ProcessingServices, Run } from './source-type.ts'
import { sourceTypes } from './source-types.ts'
import { embedAndWriteChunks } from './write-chunks.ts'

export interface IngestTools extends ProcessingServices {
  context(organizationId: string): KnowledgeContext
}

/** Handles the processing jobs of sources. */
export function processSourceHandlers(tools: IngestTools): Handlers<ProcessSource> {
  const attemptOf = (data: ProcessSource, signal: AbortSignal): Attempt => ({ ...data, ctx: tools.context(data.organizationId), signal })
  return {
    async work({ data, retries, signal }) {
      const attempt = attemptOf(data, signal)
      const count = (outcome: IngestionOutcome): void => attempt.ctx.measurements.ingestion(outcome)
      try {
        count(await processSource(attempt, tools))
      } catch (error) {
        if (error instanceof Superseded) return count('superseded')
        if (signal.aborted) {
          count('interrupted')
          throw error
        }
        const reason = toSourceError(error, 'processing')
        attempt.ctx.log.warn({ err: error, sourceId: data.sourceId, errorCode: reason.code, retries }, 'processing a source failed')
        if (isRetried(reason, retries)) {
          count('retried')
          throw error
        }
        await failSource(attempt, reason)
        count('failed')
      }
    },
    abandoned: (data) =>
      failSource(attemptOf(data, new AbortController().signal), new SourceError('internal', 'Processing was interrupted too many times.')),
  }
}

/**
 * Runs the stages of an attempt. Each stores its result, so a killed attempt resumes where it left off. Unchanged content is not
 * indexed again.
 * @throws SourceError; Superseded
 */
async function processSource(attempt: Attempt, tools: IngestTools): Promise<'completed' | 'unchanged'> {
  const run = await begin(attempt, tools)
  const { measurements } = attempt.ctx
  const type = sourceTypes[run.row.type]
  const step = <T>(name: IngestionStep, work: () => Promise<T>): Promise<T> =>
    measured((seconds) => measurements.ingestionStep(name, seconds), work)
  const fetched = await step('fetch', () => type.fetch(run))
  if (fetched.unchanged) {
    await step('publish', () => keepServing(attempt, fetched.document))
    return 'unchanged'
  }
  const text = await step('extract', () => fetched.extract())
  const chunks = await step('chunk', () => text.chunk())
  await step('index', () => embedAndWrite(run, chunks))
  await step('publish', () => switchOver(run, chunks.total, type.onSwitch))
  return 'completed'
}

async function begin(attempt: Attempt, services: ProcessingServices): Promise<Run> {
  return withTransaction(attempt.ctx, async (trx) => {
    const row = await trx
      .selectFrom('source')
      .selectAll()
      .where('id', '=', attempt.sourceId)
      .where('generation', '=', attempt.generation)
      .where('status', '=', 'processing')
      .executeTakeFirst()
    const superseded = () => new Superseded(`source ${attempt.sourceId} is no longer processed in generation ${attempt.generation}`)
    if (row === undefined) throw superseded()
    // The source may be deleted between these statements.
    const [base, document, liveDocument] = await Promise.all([
      trx.selectFrom('base').select(['rag_settings', 'language']).where('id', '=', row.base_id).executeTakeFirstOrThrow(superseded),
      selectFirstDocument(trx, attempt.generation).executeTakeFirstOrThrow(superseded),
      row.live_generation === null ? undefined : selectFirstDocument(trx, row.live_generation).executeTakeFirst(),
    ])
    const override = RagSettingsOverride.parse(row.rag_settings_override ?? {})
    const chunking = chunkingOf(mergeSettings(storedSettings(base.rag_settings), override, 'ragSettingsOverride'))
    const config = indexConfig(attempt.ctx.embedder, chunking)
    return {
      attempt,
      services: { ...services, extractor: withExpectedLanguage(base.language, services.extractor) },
      row,
      language: base.language,
      chunking,
      indexConfig: config,
      document,
      serving: (row.index_config === config ? liveDocument : undefined) ?? null,
    }
  })
}

/**
 * Embeds the chunks and writes them under the attempt's generation, which is not visible to searches yet. A killed attempt resumes after
 * its last batch.
 * @throws SourceError `empty_content` if there are none, `embedding_failed`; AppError `quota_exceeded`; Superseded
 */
async function embedAndWrite({ attempt, row, indexConfig: config }: Run, { chunks, total }: DocumentChunks): Promise<void> {
  if (total === 0) throw new SourceError('empty_content', 'The document contains no text.')
  await refuseChunksBeyondQuota(attempt, total)
  const { organizationId, sourceId, generation } = attempt
  const target = { organizationId, baseId: row.base_id, sourceId, generation }
  const written = await withTransaction(attempt.ctx, (trx) => prepareGeneration(trx, attempt, target, config))
  if (written === 0) await finishRemoval(attempt.ctx, target)
  await enterStage(attempt, 'embedding', { progress_done: written, progress_total: total, progress_unit: 'chunks' })
  await embedAndWriteChunks(attempt, target, chunks, written, (trx, from, batch) => advance(trx, attempt, from, batch))
}

/** Deletes chunks that an earlier attempt wrote with another index configuration. Returns the number of those already written with this one. */
async function prepareGeneration(trx: Transaction, attempt: Attempt, target: IndexTarget, config: string): Promise<number> {
  const row = await updateFenced(trx, attempt, {})
  if (row.pending_index_config !== config) {
    await defer(trx, trx.updateTable('source').set({ pending_index_config: config }).where('id', '=', row.id).compile())
    await deleteGeneration(attempt.ctx, trx, target)
  }
  return countChunks(trx, target.generation)
}
