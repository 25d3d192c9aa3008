import { withTransaction } from '../../context.ts'
import type { Transaction } from '../../db/schema.ts'
import { SourceError } from '../../lib/errors.ts'
import type { Handlers } from '../../jobs/jobs.ts'
import { mergeSettings, chunkingOf, storedSettings } from '../rows/settings.ts'
import { chunkInBackground } from '../chunk/background-chunker.ts'
import { withExpectedLanguage, type Extractor } from '../extract/extractor.ts'
import { obtainContent } from './content.ts'
import { failSource } from './fail.ts'
import { enterStage, Superseded, updateFenced, type Attempt, type ProcessSource } from '../rows/attempt.ts'
import { indexChunks } from './index-chunks.ts'
import { indexConfig } from './index-config.ts'
import { isSame, obtainOriginal, type FetchServices } from './original.ts'
import { processSite } from './process-site.ts'
import { toSource } from '../rows/source-record.ts'
import { emit } from '../../events/emit.ts'
import { keepServing } from './unchanged.ts'
import { RagSettingsOverride } from '@groundwork/api'
import type { KnowledgeContext } from '../context.ts'
import { readable } from './readable.ts'

/** Attempts that a failure which may pass is given, the first included. */
const attempts = 5

/** Services that processing uses in addition to those of the context. */
export interface IngestTools extends FetchServices {
  readonly extractor: Extractor
  context(organizationId: string): KnowledgeContext
}

/**
 * The work behind a source: fetch → extract → chunk → embed → index, each step kept, so that a killed attempt goes on
 * where it was. Unchanged content is not indexed again.
 */
export function processSourceHandlers(tools: IngestTools): Handlers<ProcessSource> {
  return {
    async work({ data, retries, signal }) {
      const attempt: Attempt = { ...data, ctx: tools.context(data.organizationId), signal }
      try {
        await processSource(attempt, tools)
      } catch (error) {
        if (error instanceof Superseded) return
        if (signal.aborted) throw error
        const reason = readable(error, 'processing')
        attempt.ctx.log.warn({ err: error, sourceId: data.sourceId, errorCode: reason.code, retries }, 'processing a source failed')
        if (reason.retryable && retries + 1 < attempts) throw error
        await failSource(attempt, reason)
      }
    },
    abandoned(data) {
      const attempt: Attempt = { ...data, ctx: tools.context(data.organizationId), signal: new AbortController().signal }
      return failSource(attempt, new SourceError('internal', 'Processing was interrupted too many times.'))
    },
  }
}

async function processSource(attempt: Attempt, tools: IngestTools): Promise<void> {
  const { row, language, settings, document, serving } = await begin(attempt)
  const services = { ...tools, extractor: withExpectedLanguage(language, tools.extractor) }
  const chunking = chunkingOf(settings)
  const as = indexConfig(attempt.ctx.embedder, chunking)
  const sameIndex = row.index_config === as
  if (row.type === 'scrape') {
    const source = { row, document, serving: sameIndex ? serving : null, chunking, indexConfig: as }
    return processSite(attempt, services, source)
  }
  const original = await obtainOriginal(attempt, services, { type: row.type, language }, document, sameIndex ? serving : null)
  if (original === null || (sameIndex && isSame(original, serving))) return keepServing(attempt, original?.document ?? null)
  if (row.silent) await endSilence(attempt)
  const content = await obtainContent(attempt, services.extractor, original)
  await enterStage(attempt, 'chunking')
  const chunks = await chunkInBackground(content, chunking, attempt.signal)
  const of = { title: content.title, language: content.language }
  const passages = chunks.map((chunk) => ({ chunk, document: of }))
  await indexChunks(attempt, passages, { baseId: row.base_id, indexConfig: as, total: chunks.length })
}

async function begin(attempt: Attempt) {
  return withTransaction(attempt.ctx, async (trx) => {
    const row = await trx
      .selectFrom('source')
      .selectAll()
      .where('id', '=', attempt.sourceId)
      .where('generation', '=', attempt.generation)
      .where('status', '=', 'processing')
      .executeTakeFirst()
    if (row === undefined) throw new Superseded(`source ${attempt.sourceId} is not waiting under generation ${attempt.generation}`)
    const base = await trx.selectFrom('base').select(['rag_settings', 'language']).where('id', '=', row.base_id).executeTakeFirstOrThrow()
    const override = RagSettingsOverride.parse(row.rag_settings_override ?? {})
    return {
      row,
      language: base.language,
      settings: mergeSettings(storedSettings(base.rag_settings), override, 'ragSettingsOverride'),
      document: await readDocument(trx, attempt.generation).executeTakeFirstOrThrow(),
      serving: (row.live_generation === null ? undefined : await readDocument(trx, row.live_generation).executeTakeFirst()) ?? null,
    }
  })
}

/** Emits the event of a silent attempt that has found a change; the attempt is silent no more. */
async function endSilence(attempt: Attempt): Promise<void> {
  await withTransaction(attempt.ctx, async (trx) => {
    const row = await updateFenced(trx, attempt, { silent: false })
    await emit(attempt.ctx, trx, 'source.processing', toSource(row), 'source.synced')
  })
}

const readDocument = (trx: Transaction, generation: number) =>
  trx.selectFrom('document').selectAll().where('generation', '=', generation).where('ordinal', '=', 0)
