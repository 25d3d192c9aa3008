import { CrawlSettings } from '@groundwork/api'
import { withTransaction } from '../../../context.ts'
import { countChunks, crawlSource, mergePages } from '../../crawl/crawl-source.ts'
import { chunksOfPages } from '../../crawl/page-chunks.ts'
import { resumePages, sumOfPages, sweepPages } from '../../crawl/page-rows.ts'
import { updateFenced } from '../../rows/attempt.ts'
import { publishDuring, publisherOfRest } from '../publish-pages.ts'
import { crawlSiteQueue } from '../queue.ts'
import type { SourceTypeDefinition } from '../source-type.ts'
import { webAddress } from './url.ts'

/**
 * The pages of a site, as documents of one generation. A crawl also extracts the texts of the pages. During the first crawl, the
 * pages that were read are searched as generations of their own; later crawls leave the existing index as it is until they end.
 */
export const scrape: SourceTypeDefinition = {
  queue: crawlSiteQueue,
  cost: ({ crawl }) => Math.ceil(CrawlSettings.parse(crawl ?? {}).maxPages / 50),
  address: webAddress,
  settings: (input, row) => ({ crawl: JSON.stringify(CrawlSettings.parse({ ...CrawlSettings.parse(row?.crawl ?? {}), ...input })) }),
  async fetch(run) {
    const { attempt, services, row, document, serving, chunking } = run
    const crawl = () => crawlSource(attempt, services, row, document)
    const isFirst = row.live_generation === null
    await (isFirst ? publishDuring(run, crawl) : crawl())
    const { pages, digest } = await mergePages(attempt, document)
    if (serving?.content_hash === digest) {
      await withTransaction(attempt.ctx, async (trx) => {
        await updateFenced(trx, attempt, { page_bytes: await sumOfPages(trx, attempt) })
        await sweepPages(attempt.ctx, trx, attempt)
      })
      return { unchanged: true, document: null }
    }
    const chunk = async () => ({
      total: await countChunks(attempt, pages, chunking, isFirst ? publisherOfRest(run) : undefined),
      chunks: chunksOfPages(attempt, pages, chunking),
    })
    return { unchanged: false, extract: async () => ({ chunk }) }
  },
  onRetry: resumePages,
  onSwitch: ({ attempt }, trx) => sweepPages(attempt.ctx, trx, attempt),
}
