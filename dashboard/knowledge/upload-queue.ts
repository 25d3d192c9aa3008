import type { Source } from './records.ts'
import type { Groundwork } from '@groundwork/sdk'
import { sendFile } from '../lib/send-file.ts'

export type UploadState = 'waiting' | 'sending' | 'paused' | 'adding' | 'done' | 'failed' | 'cancelled'

/** A file on its way into a base. */
export interface UploadItem {
  readonly id: number
  readonly file: File
  readonly state: UploadState
  readonly sentBytes: number
  readonly error: unknown
  /** There once its bytes have arrived. */
  readonly storageUrl: string | undefined
  readonly source: Source | undefined
}

/** Files under way at a time: browsers have few connections to one service, and the page needs some of them. */
const atOnce = 3

export interface UploadQueue {
  readonly subscribe: (listener: () => void) => () => void
  readonly items: () => readonly UploadItem[]
  add: (files: readonly File[]) => void
  /** Sending stops; what is resumed is sent from its beginning. */
  pause: (id: number) => void
  resume: (id: number) => void
  cancel: (id: number) => void
  /** Goes on where it failed: what has arrived is not sent again. */
  retry: (id: number) => void
  pauseAll: () => void
  resumeAll: () => void
  /** Forgets those that have ended. */
  clear: () => void
}

/** Uploads files a few at a time and adds each to the base. @param onAdded hears of every new source */
export function createUploadQueue(client: Groundwork, baseId: string, onAdded: (source: Source) => void): UploadQueue {
  let items: readonly UploadItem[] = []
  let lastId = 0
  const ends = new Map<number, AbortController>()
  const listeners = new Set<() => void>()

  const change = (id: number, news: Partial<UploadItem>): void => {
    items = items.map((item) => (item.id === id ? { ...item, ...news } : item))
    for (const tell of listeners) tell()
  }
  const go = (): void => {
    for (const item of items) if (item.state === 'waiting' && ends.size < atOnce) void run(item)
  }
  const run = async ({ id, file, storageUrl: sent }: UploadItem): Promise<void> => {
    const end = new AbortController()
    const { signal } = end
    ends.set(id, end)
    try {
      let storageUrl = sent
      if (storageUrl === undefined) {
        change(id, { state: 'sending', error: undefined, sentBytes: 0 })
        const upload = await sendFile(client, file, { signal, onProgress: (sentBytes) => change(id, { sentBytes }) })
        storageUrl = upload.storageUrl
      }
      change(id, { state: 'adding', storageUrl, sentBytes: file.size, error: undefined })
      const source = await client.bases.sources.create(baseId, { name: file.name, type: 'file', storageUrl }, { signal })
      change(id, { state: 'done', source })
      onAdded(source)
    } catch (error) {
      // Who aborts has said what comes instead.
      if (!signal.aborted) change(id, { state: 'failed', error })
    } finally {
      if (ends.get(id) === end) ends.delete(id)
      go()
    }
  }
  const stop = (id: number, state: UploadState): void => {
    ends.get(id)?.abort()
    ends.delete(id)
    change(id, { state })
    go()
  }
  const inState = (id: number, ...states: UploadState[]): boolean => items.some((item) => item.id === id && states.includes(item.state))
  const wait = (id: number): void => {
    change(id, { state: 'waiting', error: undefined })
    go()
  }
  const queue: UploadQueue = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    items: () => items,
    add(files) {
      const added = files.map((file): UploadItem => ({
        id: (lastId += 1),
        file,
        state: 'waiting',
        sentBytes: 0,
        error: undefined,
        storageUrl: undefined,
        source: undefined,
      }))
      items = [...items, ...added]
      for (const tell of listeners) tell()
      go()
    },
    pause: (id) => inState(id, 'waiting', 'sending') && stop(id, 'paused'),
    resume: (id) => inState(id, 'paused') && wait(id),
    cancel: (id) => inState(id, 'waiting', 'sending', 'paused', 'failed') && stop(id, 'cancelled'),
    retry: (id) => inState(id, 'failed', 'cancelled') && wait(id),
    // Those that wait first, or they would begin as those under way end.
    pauseAll: () => items.toSorted((a) => (a.state === 'waiting' ? -1 : 1)).forEach(({ id }) => queue.pause(id)),
    resumeAll: () => items.forEach(({ id }) => queue.resume(id)),
    clear() {
      items = items.filter(({ state }) => state !== 'done' && state !== 'cancelled')
      for (const tell of listeners) tell()
    },
  }
  return queue
}
