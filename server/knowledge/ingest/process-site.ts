import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { SourceTable } from '../../db/schema.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import { countChunks, crawlSource } from '../crawl/crawl-source.ts'
import { passagesOfPages } from '../crawl/page-passages.ts'
import { sweepPages } from '../crawl/page-rows.ts'
import type { Extractor } from '../extract/extractor.ts'
import { updateFenced, type Attempt } from '../rows/attempt.ts'
import type { Document } from '../rows/documents.ts'
import { indexChunks } from './index-chunks.ts'
import type { FetchServices } from './original.ts'
import { keepServing } from './unchanged.ts'

export interface Site {
  readonly row: Selectable<SourceTable>
  readonly document: Document
  /** The document that is searched now, if its index configuration is the same. */
  readonly serving: Document | null
  readonly chunking: ChunkingSettings
  readonly indexConfig: string
}

/**
 * Crawls a site and indexes its pages as documents of one generation.
 * @throws SourceError if no page of the site could be read; Superseded
 */
export async function processSite(attempt: Attempt, tools: FetchServices & { extractor: Extractor }, site: Site): Promise<void> {
  const { row, document, serving, chunking, indexConfig } = site
  const { pages, digest } = await crawlSource(attempt, tools, row, document)
  const sweep = { sourceId: attempt.sourceId, generation: attempt.generation }
  if (serving?.content_hash === digest) {
    await withTransaction(attempt.ctx, async (trx) => {
      await updateFenced(trx, attempt, {})
      await sweepPages(attempt.ctx, trx, sweep)
    })
    return keepServing(attempt, null)
  }
  const total = await countChunks(attempt, pages, chunking)
  await indexChunks(attempt, passagesOfPages(attempt, pages, chunking), {
    baseId: row.base_id,
    indexConfig,
    total,
    onSwitch: (trx) => sweepPages(attempt.ctx, trx, sweep),
  })
}
