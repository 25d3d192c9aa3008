import type { Context, Platform } from './context.ts'
import { sendResetQueue, type SendReset } from './identity/reset-mail.ts'
import { loadTokenizer } from './knowledge/chunk/tokens.ts'
import { createExtractor } from './knowledge/extract/extractor.ts'
import { processSourceHandlers } from './knowledge/ingest/process.ts'
import { crawlSiteQueue, processSourceQueue } from './knowledge/ingest/queue.ts'
import { buildShadowHandlers } from './knowledge/reindex/build.ts'
import { buildShadowQueue } from './knowledge/reindex/queue.ts'
import type { Renderer } from './knowledge/render/renderer.ts'
import type { VideoService } from './knowledge/video/service.ts'
import type { Outbound } from './outbound/outbound.ts'
import { organizationWorks } from './queues.ts'

/** Sources that are worked on at a time; their heavy parts share the extractor's processes and the embedder's threads. */
const ingestSlots = { concurrency: 4, spare: 1 }

/** Sites that are crawled at a time: it takes hours and mostly waits. */
const crawlSlots = { concurrency: 4, spare: 4 }

/** Sources that are indexed anew at a time: one, so that what was added or replaced hardly waits for them. */
const reindexSlots = { concurrency: 1, spare: 1 }

export interface WorkerServices {
  readonly outbound: Outbound
  /** Null where the operator has configured no Chromium. */
  readonly renderer: Renderer | null
}

/** Begins to work on every queue; the jobs end with `platform.jobs.stop()`, after which `close` ends what they used. */
export function startWorker(platform: Platform, { outbound, renderer }: WorkerServices): { close(): Promise<void> } {
  // On a busy machine this takes a second, for which the first document would keep a transaction of another waiting.
  loadTokenizer()
  const extractor = createExtractor({ log: platform.log })
  const context = (organizationId: string): Context => ({ ...platform, organizationId })
  const video: VideoService = { baseUrl: platform.youtubeUrl, fetch: outbound.trustedFetch(platform.youtubeUrl) }
  const ingestion = processSourceHandlers({ extractor, outbound, renderer, video, context })
  platform.jobs.handle(processSourceQueue, ingestion, ingestSlots)
  platform.jobs.handle(crawlSiteQueue, ingestion, crawlSlots)
  platform.jobs.handle(buildShadowQueue, buildShadowHandlers(context), reindexSlots)
  platform.jobs.handle<SendReset>(
    sendResetQueue,
    {
      work: ({ data }) => platform.identity.sendReset(data.resetId),
      abandoned: async (data) => platform.log.error({ queue: sendResetQueue.name, data }, 'a message to set a new password was given up'),
    },
    { concurrency: 1 },
  )
  for (const work of organizationWorks) {
    platform.jobs.handle<{ organizationId: string }>(
      work.queue,
      {
        work: ({ data, signal }) => work.run(context(data.organizationId), data, signal),
        async abandoned(data) {
          platform.log.error({ queue: work.queue.name, data }, 'a job was given up')
          await work.abandoned?.(context(data.organizationId), data)
        },
      },
      { concurrency: 1 },
    )
  }
  return extractor
}
