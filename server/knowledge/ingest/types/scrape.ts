import { CrawlSettings } from '@groundwork/api'
import { withTransaction } from '../../../context.ts'
import { countChunks, crawlSource } from '../../crawl/crawl-source.ts'
import { passagesOfPages } from '../../crawl/page-passages.ts'
import { sweepPages } from '../../crawl/page-rows.ts'
import { updateFenced } from '../../rows/attempt.ts'
import { crawlSiteQueue } from '../queue.ts'
import type { SourceTypeDefinition } from '../source-type.ts'
import { webAddress } from './url.ts'

/** The pages of a site, as documents of one generation. A crawl also extracts the texts of the pages. */
export const scrape: SourceTypeDefinition = {
  queue: crawlSiteQueue,
  cost: ({ crawl }) => Math.ceil(CrawlSettings.parse(crawl ?? {}).maxPages / 50),
  address: webAddress,
  settings: (input) => ({ crawl: JSON.stringify(CrawlSettings.parse(input)) }),
  async fetch({ attempt, services, row, document, serving, chunking }) {
    const { pages, digest } = await crawlSource(attempt, services, row, document)
    if (serving?.content_hash === digest) {
      await withTransaction(attempt.ctx, async (trx) => {
        await updateFenced(trx, attempt, {})
        await sweepPages(attempt.ctx, trx, attempt)
      })
      return { unchanged: true, document: null }
    }
    const chunk = async () => ({
      total: await countChunks(attempt, pages, chunking),
      passages: passagesOfPages(attempt, pages, chunking),
    })
    return { unchanged: false, extract: async () => ({ chunk }) }
  },
  onSwitch: ({ attempt }, trx) => sweepPages(attempt.ctx, trx, attempt),
}
