import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { refreshSoon } from '../lib/refresh.ts'
import { useWorkspace, type Workspace } from '../lib/workspace.ts'
import { interruptedUploads } from './interrupted-uploads.ts'
import { sourcesKeys } from './queries.ts'
import { createUploadQueue, type UploadItem, type UploadQueue } from './upload-queue.ts'

/** Upload queues outlive their page, so that uploads continue during navigation within the dashboard. */
const queues = new Map<string, UploadQueue>()

function queueOf(workspace: Workspace, queries: QueryClient, baseId: string): UploadQueue {
  const name = `${workspace.organization.id} ${baseId}`
  const known = queues.get(name)
  if (known !== undefined) return known
  const created = createUploadQueue(workspace.client, baseId, {
    begun: interruptedUploads(name),
    onAdded: () => refreshSoon(queries, sourcesKeys(workspace, baseId)),
  })
  queues.set(name, created)
  return created
}

/** Asks before the tab closes, because unfinished uploads would stop. */
window.addEventListener('beforeunload', (event) => {
  const isUploading = [...queues.values()].some((queue) =>
    queue.items().some(({ state }) => ['waiting', 'sending', 'adding'].includes(state)),
  )
  if (isUploading) event.preventDefault()
})

/** Returns the uploads of a knowledge base. */
export function useUploads(baseId: string): { queue: UploadQueue; items: readonly UploadItem[]; interrupted: readonly string[] } {
  const queue = queueOf(useWorkspace(), useQueryClient(), baseId)
  const items = useSyncExternalStore(queue.subscribe, queue.items)
  return { queue, items, interrupted: useSyncExternalStore(queue.subscribe, queue.interrupted) }
}
