import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useWorkspace, type Workspace } from '../lib/workspace.ts'
import { sourcesKeys } from './queries.ts'
import { createUploadQueue, type UploadItem, type UploadQueue } from './upload-queue.ts'

/** They outlive the page: who goes elsewhere in the dashboard finds them when they come back. */
const queues = new Map<string, UploadQueue>()

function queueOf(workspace: Workspace, queries: QueryClient, baseId: string): UploadQueue {
  const name = `${workspace.organization.id} ${baseId}`
  const known = queues.get(name)
  if (known !== undefined) return known
  const made = createUploadQueue(workspace.client, baseId, () => {
    for (const queryKey of sourcesKeys(workspace, baseId)) void queries.invalidateQueries({ queryKey })
  })
  queues.set(name, made)
  return made
}

/** Whoever closes the tab would lose what is not sent yet, so the browser asks. */
window.addEventListener('beforeunload', (event) => {
  const underWay = [...queues.values()].some((queue) => queue.items().some(({ state }) => ['waiting', 'sending', 'adding'].includes(state)))
  if (underWay) event.preventDefault()
})

/** The files that are on their way into a base. */
export function useUploads(baseId: string): { queue: UploadQueue; items: readonly UploadItem[] } {
  const queue = queueOf(useWorkspace(), useQueryClient(), baseId)
  return { queue, items: useSyncExternalStore(queue.subscribe, queue.items) }
}
