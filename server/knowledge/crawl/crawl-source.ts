import { CrawlSettings } from '@groundwork/api'
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { SourceTable } from '../../db/schema.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { chunkInBackground } from '../chunk/background-chunker.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { Extractor } from '../extract/extractor.ts'
import { updateDocument, type Document } from '../rows/documents.ts'
import { enterStage, updateFenced, type Attempt } from '../rows/attempt.ts'
import type { Renderer } from '../render/renderer.ts'
import { crawl, type CrawlLimits } from './crawl.ts'
import { frontierTable, readContent } from './frontier-table.ts'
import { mergeDuplicates } from './merge.ts'
import type { IndexedPage } from './page-passages.ts'
import { failureOf, warningsOf } from './report.ts'
import { hostSlotsTable } from './slots-table.ts'

export interface CrawledSite {
  /** The pages to index. */
  readonly pages: readonly IndexedPage[]
  /** Identifies the texts and the warnings. */
  readonly digest: string
}

/** Pages are short compared with documents; four hours at the default rate are more than 50,000 pages. */
const limits: CrawlLimits = { maxBytes: 20_000_000, timeoutMs: 30_000, totalMs: 4 * 3_600_000 }

/**
 * Crawls a site and returns its pages. A killed attempt resumes with the pages that it has not visited.
 * @throws SourceError if no page of the site could be read; Superseded
 */
export async function crawlSource(
  attempt: Attempt,
  tools: { extractor: Extractor; outbound: Outbound; renderer: Renderer | null },
  row: Selectable<SourceTable>,
  document: Document,
): Promise<CrawledSite> {
  if (row.stage === 'queued' || row.stage === 'fetching') {
    const settings = CrawlSettings.parse(row.crawl ?? {})
    await enterStage(attempt, 'fetching', {
      progress_unit: 'pages',
      ...(row.stage === 'fetching' && { progress_done: row.progress_done, progress_total: row.progress_total }),
    })
    await crawl(
      { ...settings, root: document.url ?? '' },
      {
        fetch: (url, request) => tools.outbound.fetch(url, request),
        extractor: tools.extractor,
        renderer: tools.renderer,
        turns: hostSlotsTable(attempt.ctx),
        frontier: frontierTable(attempt, { baseId: row.base_id, pageLimit: settings.maxPages }),
        limits,
        signal: attempt.signal,
        now: attempt.ctx.now,
      },
    )
  }
  return mergeAndReport(attempt, document)
}

/** Merges duplicates and records the outcome of the crawl. Idempotent. */
async function mergeAndReport(attempt: Attempt, document: Document): Promise<CrawledSite> {
  return withTransaction(attempt.ctx, async (trx) => {
    await updateFenced(trx, attempt, {})
    const all = await trx
      .selectFrom('source_page')
      .selectAll()
      .where('source_id', '=', attempt.sourceId)
      .where('generation', '=', attempt.generation)
      .orderBy('depth')
      .orderBy('place')
      .execute()
    const failure = failureOf(all)
    if (failure !== null) throw failure
    const indexed = all.filter((page) => page.indexed)
    const merged = mergeDuplicates(
      indexed.map(({ id, key, url, title, canonical_url, text_hash }) => ({
        id,
        key,
        url,
        title,
        canonicalUrl: canonical_url,
        textHash: text_hash,
      })),
    )
    for (const [id, { url }] of merged) {
      await trx
        .updateTable('source_page')
        .set({ indexed: false, status: 'skipped', reason: 'duplicate', stand_in_url: url, chunks: 0 })
        .where('id', '=', id)
        .execute()
    }
    const pages = indexed.filter(({ id }) => !merged.has(id))
    const warnings = warningsOf(all)
    const digest = createHash('sha256')
    for (const { id, url, text_hash } of pages.toSorted((a, b) => a.id.localeCompare(b.id))) digest.update(`${id} ${url} ${text_hash}\n`)
    const content_hash = digest.update(JSON.stringify(warnings)).digest('hex')
    await updateDocument(trx, attempt, document, { content_hash, pages: pages.length, warnings, media_type: 'text/html' })
    return { pages, digest: content_hash }
  })
}

/** Counts the chunks of each page. A second pass creates them again: all chunks of a large site would not fit in memory. */
export async function countChunks(attempt: Attempt, pages: readonly IndexedPage[], chunking: ChunkingSettings): Promise<number> {
  await enterStage(attempt, 'chunking', { progress_total: pages.length, progress_unit: 'pages' })
  let total = 0
  for (const [done, page] of pages.entries()) {
    attempt.signal.throwIfAborted()
    const { document } = await readContent(attempt, page.content_key)
    const { length } = await chunkInBackground(document, chunking, attempt.signal)
    total += length
    await withTransaction(attempt.ctx, async (trx) => {
      await updateFenced(trx, attempt, { progress_done: done + 1 })
      await trx.updateTable('source_page').set({ chunks: length }).where('id', '=', page.id).execute()
    })
  }
  return total
}
