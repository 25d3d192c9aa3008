import type { Context, Platform } from './context.ts'
import { createExtractor } from './knowledge/extract/extractor.ts'
import { deleteFiles } from './knowledge/ingest/delete-files.ts'
import { processSourceHandlers } from './knowledge/ingest/process.ts'
import { deleteFilesQueue, processSourceQueue, type DeleteFiles } from './knowledge/ingest/queue.ts'
import type { Outbound } from './outbound/outbound.ts'

/** Sources that are worked on at a time; their heavy parts share the extractor's processes and the embedder's threads. */
const ingestConcurrency = 4

/** Begins to work on every queue; the jobs end with `platform.jobs.stop()`, after which `close` ends what they used. */
export function startWorker(platform: Platform, outbound: Outbound): { close(): Promise<void> } {
  const extractor = createExtractor({ log: platform.log })
  const context = (organizationId: string): Context => ({ ...platform, organizationId })
  platform.jobs.handle(processSourceQueue, processSourceHandlers({ extractor, outbound, context }), { concurrency: ingestConcurrency })
  platform.jobs.handle<DeleteFiles>(
    deleteFilesQueue,
    {
      work: ({ data }) => deleteFiles(context(data.organizationId), data.keys),
      abandoned: async ({ organizationId, keys }) => platform.log.error({ organizationId, keys }, 'files could not be deleted'),
    },
    { concurrency: 1 },
  )
  return extractor
}
