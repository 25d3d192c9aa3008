import type { Context } from '../../context.ts'
import { atomically } from '../../context.ts'
import { SourceError } from '../../lib/errors.ts'
import type { Handlers } from '../../jobs/jobs.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { mergeSettings, chunkingOf, storedSettings } from '../bases/settings.ts'
import { chunkAside } from '../chunk/chunk-aside.ts'
import type { Extractor } from '../extract/extractor.ts'
import type { VideoService } from '../video/service.ts'
import { obtainContent } from './content.ts'
import { failSource } from './fail.ts'
import { enterStage, Superseded, type Attempt } from './fence.ts'
import { indexChunks } from './index-chunks.ts'
import { obtainOriginal } from './original.ts'
import type { ProcessSource } from './queue.ts'
import { RagSettingsOverride } from '@groundwork/api'

/** Attempts that a failure which may pass is given, the first included. */
const attempts = 5

/** What processing needs beyond what every verb has. */
export interface IngestTools {
  readonly extractor: Extractor
  readonly outbound: Outbound
  readonly video: VideoService
  context(organizationId: string): Context
}

/** The work behind a source: fetch → extract → chunk → embed → index, each step kept, so that a killed attempt goes on where it was. */
export function processSourceHandlers(tools: IngestTools): Handlers<ProcessSource> {
  return {
    async work({ data, retries, signal }) {
      const attempt: Attempt = { ...data, ctx: tools.context(data.organizationId), signal }
      try {
        await processSource(attempt, tools)
      } catch (error) {
        if (error instanceof Superseded) return
        if (signal.aborted) throw error
        const reason = readable(error)
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

async function processSource(attempt: Attempt, { extractor, ...doors }: IngestTools): Promise<void> {
  const { row, settings } = await begin(attempt)
  const original = await obtainOriginal(attempt, doors, row)
  const document = await obtainContent(attempt, extractor, original, row)
  await enterStage(attempt, 'chunking')
  const chunks = await chunkAside(document, chunkingOf(settings), attempt.signal)
  await indexChunks(attempt, document, chunks, row)
}

async function begin(attempt: Attempt) {
  return atomically(attempt.ctx, async (trx) => {
    const row = await trx
      .selectFrom('source')
      .selectAll()
      .where('id', '=', attempt.sourceId)
      .where('generation', '=', attempt.generation)
      .where('status', '=', 'processing')
      .executeTakeFirst()
    if (row === undefined) throw new Superseded(`source ${attempt.sourceId} is not waiting under generation ${attempt.generation}`)
    const base = await trx.selectFrom('base').select('rag_settings').where('id', '=', row.base_id).executeTakeFirstOrThrow()
    const override = RagSettingsOverride.parse(row.rag_settings_override ?? {})
    return { row, settings: mergeSettings(storedSettings(base.rag_settings), override, 'ragSettingsOverride') }
  })
}

/** What is told of a failure: its own words when it was foreseen, else that it is ours and may pass. */
function readable(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  return new SourceError('internal', 'Something went wrong on our side while processing this source.', { retryable: true, cause: error })
}
