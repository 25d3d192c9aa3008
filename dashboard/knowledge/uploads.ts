import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { refreshSoon } from '../lib/refresh.ts'
import { useWorkspace, type Workspace } from '../lib/workspace.ts'
import { interruptedUploads } from './interrupted-uploads.ts'
import { sourcesKeys } from './queries.ts'
import { createUploadQueue, type UploadItem, type UploadQueue } from './upload-queue.ts'

/** Upload queues outlive their page, so that uploads continue during navigation within the dashboard. */
const queues = new Map<string, UploadQueue>()

/** Returns the queue of a knowledge base, which the first call creates. */
function queueFor(workspace: Workspace, queries: QueryClient, baseId: string): UploadQueue {
  const key = `${workspace.organization.id} ${baseId}`
  const known = queues.get(key)
  if (known !== undefined) return known
  const created = createUploadQueue(workspace.client, baseId, {
    begun: interruptedUploads(key),
    onAdded: () => refreshSoon(queries, sourcesKeys(workspace, baseId)),
  })
  queues.set(key, created)
  return created
}

/** Asks before the tab closes, because unfinished uploads would stop. */
window.addEventListener('beforeunload', (event) => {
  const isUploading = [...queues.values()].some((queue) =>
    queue.items().some(({ state }) => ['waiting', 'sending', 'adding'].includes(state)),
  )
  if (isUploading) event.preventDefault()
})

/** Returns the uploads of a knowledge base, and the names of files whose upload an earlier page did not finish. */
export function useUploads(baseId: string): { queue: UploadQueue; items: readonly UploadItem[]; interrupted: readonly string[] } {
  const queue = queueFor(useWorkspace(), useQueryClient(), baseId)
  const items = useSyncExternalStore(queue.subscribe, queue.items)
  return { queue, items, interrupted: useSyncExternalStore(queue.subscribe, queue.interrupted) }
}
