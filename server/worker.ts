import type { Platform, PlatformContext } from './platform.ts'
import { sendResetHandler, type SendReset } from './identity/reset-mail.ts'
import type { Handlers } from './jobs/jobs.ts'
import { shortJobsQueue } from './jobs/short-jobs.ts'
import { loadTokenizer } from './knowledge/chunk/tokens.ts'
import { createExtractor } from './knowledge/extract/extractor.ts'
import type { OcrLimits } from './knowledge/extract/ocr-limits.ts'
import { processSourceHandlers } from './knowledge/ingest/pipeline.ts'
import { crawlSiteQueue, processSourceQueue } from './knowledge/ingest/queue.ts'
import { buildShadowHandlers } from './knowledge/reindex/build.ts'
import { buildShadowQueue } from './knowledge/reindex/queue.ts'
import type { Renderer } from './knowledge/render/renderer.ts'
import type { VideoService } from './knowledge/video/service.ts'
import type { Outbound } from './outbound/outbound.ts'
import { organizationWorks } from './queues.ts'
import type { OrganizationWork } from './work.ts'

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
  readonly ocr?: OcrLimits | undefined
}

/** Starts the workers of all queues. `platform.jobs.stop()` ends the jobs; call `close` afterwards. */
export function startWorker(platform: Platform, { outbound, renderer, ocr }: WorkerServices): { close(): Promise<void> } {
  // Loading takes a second on a busy machine. At the first document it would prolong a transaction of another one.
  loadTokenizer()
  const extractor = createExtractor({ ocr, log: platform.log })
  const context = (organizationId: string): PlatformContext => ({ ...platform, organizationId })
  const video: VideoService = { baseUrl: platform.youtubeUrl, fetch: outbound.trustedFetch(platform.youtubeUrl) }
  const ingestion = processSourceHandlers({ extractor, outbound, renderer, video, context })
  platform.jobs.handle(processSourceQueue, ingestion, ingestSlots)
  platform.jobs.handle(crawlSiteQueue, ingestion, crawlSlots)
  platform.jobs.handle(buildShadowQueue, buildShadowHandlers(context), reindexSlots)
  for (const work of organizationWorks) {
    if (work.queue !== undefined) platform.jobs.handle(work.queue, handlersOf(work, platform), { concurrency: 1 })
  }
  const shortWorks = organizationWorks.filter(({ queue }) => queue === undefined)
  const sendReset: Handlers<SendReset> = {
    work: ({ data }) => platform.identity.sendReset(data.resetId),
    abandoned: async (data) =>
      platform.log.error({ queue: sendResetHandler, data }, 'password reset email abandoned after its last attempt'),
  }
  const handlers = shortWorks.map((work): [string, Handlers<never>] => [work.name, handlersOf(work, platform)])
  platform.jobs.dispatch(shortJobsQueue, new Map([...handlers, [sendResetHandler, sendReset]]))
  return extractor
}

function handlersOf(work: OrganizationWork<object, PlatformContext>, platform: Platform): Handlers<{ organizationId: string }> {
  return {
    work: ({ data, signal }) => work.run({ ...platform, organizationId: data.organizationId }, data, signal),
    async abandoned(data) {
      platform.log.error({ queue: work.name, data }, 'job abandoned after its last attempt')
      await work.abandoned?.({ ...platform, organizationId: data.organizationId }, data)
    },
  }
}
