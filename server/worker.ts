import type { Platform, PlatformContext } from './platform.ts'
import { sendResetQueue, type SendReset } from './identity/reset-mail.ts'
import { loadTokenizer } from './knowledge/chunk/tokens.ts'
import { createExtractor } from './knowledge/extract/extractor.ts'
import { processSourceHandlers } from './knowledge/ingest/pipeline.ts'
import { crawlSiteQueue, processSourceQueue } from './knowledge/ingest/queue.ts'
import { buildShadowHandlers } from './knowledge/reindex/build.ts'
import { buildShadowQueue } from './knowledge/reindex/queue.ts'
import type { Renderer } from './knowledge/render/renderer.ts'
import type { VideoService } from './knowledge/video/service.ts'
import type { Outbound } from './outbound/outbound.ts'
import { organizationWorks } from './queues.ts'

/** Sources processed concurrently. Their CPU-bound steps share the extractor's processes and the embedder's threads. */
const ingestSlots = { concurrency: 4, spare: 1 }

/** Sites crawled concurrently. A crawl takes hours and mostly waits. */
const crawlSlots = { concurrency: 4, spare: 4 }

/** Sources re-indexed concurrently: one, so that new and replaced sources are hardly delayed. */
const reindexSlots = { concurrency: 1, spare: 1 }

export interface WorkerServices {
  readonly outbound: Outbound
  /** Null if CHROMIUM_PATH is not set. */
  readonly renderer: Renderer | null
}

/** Starts the workers of all queues. `platform.jobs.stop()` ends the jobs; call `close` afterwards. */
export function startWorker(platform: Platform, { outbound, renderer }: WorkerServices): { close(): Promise<void> } {
  // Loading takes a second on a busy machine. At the first document it would prolong a transaction of another one.
  loadTokenizer()
  const extractor = createExtractor({ log: platform.log })
  const context = (organizationId: string): PlatformContext => ({ ...platform, organizationId })
  const video: VideoService = { baseUrl: platform.youtubeUrl, fetch: outbound.trustedFetch(platform.youtubeUrl) }
  const ingestion = processSourceHandlers({ extractor, outbound, renderer, video, context })
  platform.jobs.handle(processSourceQueue, ingestion, ingestSlots)
  platform.jobs.handle(crawlSiteQueue, ingestion, crawlSlots)
  platform.jobs.handle(buildShadowQueue, buildShadowHandlers(context), reindexSlots)
  platform.jobs.handle<SendReset>(
    sendResetQueue,
    {
      work: ({ data }) => platform.identity.sendReset(data.resetId),
      abandoned: async (data) =>
        platform.log.error({ queue: sendResetQueue.name, data }, 'password reset e-mail abandoned after its last attempt'),
    },
    { concurrency: 1 },
  )
  for (const work of organizationWorks) {
    platform.jobs.handle<{ organizationId: string }>(
      work.queue,
      {
        work: ({ data, signal }) => work.run(context(data.organizationId), data, signal),
        async abandoned(data) {
          platform.log.error({ queue: work.queue.name, data }, 'job abandoned after its last attempt')
          await work.abandoned?.(context(data.organizationId), data)
        },
      },
      { concurrency: 1 },
    )
  }
  return extractor
}
