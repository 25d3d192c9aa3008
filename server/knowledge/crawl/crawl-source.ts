import { CrawlSettings } from '@groundwork/api'
import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { withTransaction } from '../../context.ts'
import type { SourceTable } from '../../db/schema.ts'
import { createCookies } from '../../outbound/cookies.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { chunkInBackground } from '../chunk/background-chunker.ts'
import type { ChunkingSettings } from '../chunk/chunk.ts'
import type { Extractor } from '../extract/extractor.ts'
import { updateDocument, type Document } from '../rows/documents.ts'
import { enterStage, updateFenced, type Attempt } from '../rows/attempt.ts'
import type { Renderer } from '../render/renderer.ts'
import { crawl } from './crawl.ts'
import { frontierTable, readContent } from './frontier-table.ts'
import { mergeRows } from './merge.ts'
import type { IndexedPage } from './page-chunks.ts'
import { crawlLimits, failureOf, warningsOf } from './report.ts'
import { hostSlotsTable } from './slots-table.ts'

export interface CrawledSite {
  /** The pages to index. */
  readonly pages: readonly IndexedPage[]
  /** Identifies the texts and the warnings. */
  readonly digest: string
}

/**
 * Crawls a site, and stores its pages. A killed attempt resumes with the pages that it has not visited.
 * @throws SourceError if the robots.txt of the site cannot be fetched; Superseded
 */
export async function crawlSource(
  attempt: Attempt,
  tools: { extractor: Extractor; outbound: Outbound; renderer: Renderer | null },
  row: Selectable<SourceTable>,
  document: Document,
): Promise<void> {
  if (row.stage !== 'queued' && row.stage !== 'fetching') return
  const settings = CrawlSettings.parse(row.crawl ?? {})
  const frontier = frontierTable(attempt, { baseId: row.base_id, pageLimit: settings.maxPages })
  const cookies = createCookies()
  const { asked } = await frontier.progress()
  await enterStage(attempt, 'fetching', {
    progress_unit: 'pages',
    progress_done: asked,
    progress_total: Math.max(asked, row.stage === 'fetching' ? row.progress_total : 0),
  })
  await crawl(
    { ...settings, root: document.url ?? '' },
    {
      fetch: (url, request) => tools.outbound.fetch(url, { ...request, cookies }),
      extractor: tools.extractor,
      renderer: tools.renderer,
      turns: hostSlotsTable(attempt.ctx),
      frontier,
      limits: crawlLimits,
      signal: attempt.signal,
      now: attempt.ctx.now,
    },
  )
}

/**
 * Merges duplicates, records the outcome of the crawl and returns the pages to index. Idempotent.
 * @throws SourceError if no page of the site could be read; Superseded
 */
export async function mergePages(attempt: Attempt, document: Document): Promise<CrawledSite> {
  return withTransaction(attempt.ctx, async (trx) => {
    const source = await updateFenced(trx, attempt, {})
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
    const merged = mergeRows(indexed)
    for (const [id, { url }] of merged) {
      await trx
        .updateTable('source_page')
        .set({ indexed: false, status: 'skipped', reason: 'duplicate', stand_in_url: url, chunks: 0 })
        .where('id', '=', id)
        .execute()
    }
    const pages = indexed.filter(({ id }) => !merged.has(id))
    const warnings = warningsOf(all, CrawlSettings.parse(source.crawl ?? {}).maxPages)
    const digest = createHash('sha256')
    for (const { id, url, text_hash } of pages.toSorted((a, b) => a.id.localeCompare(b.id))) digest.update(`${id} ${url} ${text_hash}\n`)
    const content_hash = digest.update(JSON.stringify(warnings)).digest('hex')
    await updateDocument(trx, attempt, document, { content_hash, pages: pages.length, warnings, media_type: 'text/html' })
    return { pages, digest: content_hash }
  })
}

/**
 * Counts the chunks of each page. A second pass creates them again: all chunks of a large site would not fit in memory.
 * @param before runs before each page
 */
export async function countChunks(
  attempt: Attempt,
  pages: readonly IndexedPage[],
  chunking: ChunkingSettings,
  before: (page: IndexedPage) => Promise<void> = async () => undefined,
): Promise<number> {
  await enterStage(attempt, 'chunking', { progress_total: pages.length, progress_unit: 'pages' })
  let total = 0
  for (const [done, page] of pages.entries()) {
    attempt.signal.throwIfAborted()
    await before(page)
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
