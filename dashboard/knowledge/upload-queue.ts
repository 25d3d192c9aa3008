import type { Source } from './records.ts'
import type { Groundwork } from '@groundwork/sdk'
import { sendFile } from '../lib/send-file.ts'
import { twinOf } from './upload-twin.ts'
import type { InterruptedUploads } from './interrupted-uploads.ts'

export type UploadState = 'waiting' | 'sending' | 'paused' | 'adding' | 'done' | 'failed' | 'cancelled' | 'held'

/** A file that is being uploaded and added to a knowledge base. */
export interface UploadItem {
  readonly id: number
  readonly file: File
  readonly state: UploadState
  readonly sentBytes: number
  readonly error: unknown
  /** Set once parts are sent: the upload continues after the received ones. */
  readonly uploadId: string | undefined
  /** Set once the upload is complete. */
  readonly storageUrl: string | undefined
  readonly source: Source | undefined
  /** Why the file is held until the user decides. */
  readonly twin: Twin | undefined
  /** The decision of the user about the twin. */
  readonly decision: 'add' | 'replace' | undefined
}

/** The queue or the knowledge base has the same file, also under another name, or the knowledge base another file of the same name. */
export type Twin =
  | { readonly kind: 'upload' }
  | { readonly kind: 'same' | 'other'; readonly sourceId: string }
  | { readonly kind: 'renamed'; readonly sourceId: string; readonly name: string }

/** Browsers limit connections per host (6 over HTTP/1.1), and the page needs some of them. */
const maxConcurrent = 3

export interface UploadQueue {
  readonly subscribe: (listener: () => void) => () => void
  readonly items: () => readonly UploadItem[]
  /** Names of the files whose upload a reload has interrupted. */
  readonly interrupted: () => readonly string[]
  forgetInterrupted: () => void
  /** Continues interrupted uploads of the same files. */
  add: (files: readonly File[]) => void
  /** Stops sending. A resumed upload of more than 8 MiB continues after its received parts, a smaller one starts again. */
  pause: (id: number) => void
  resume: (id: number) => void
  cancel: (id: number) => void
  /** Repeats the failed step. A completed upload is not sent again. */
  retry: (id: number) => void
  retryFailed: () => void
  /** Uploads a held file as a further source, or as a new version of the source with its name. */
  decide: (id: number, decision: 'add' | 'replace') => void
  /** Cancels the files that are held. */
  skipHeld: () => void
  pauseAll: () => void
  resumeAll: () => void
  /** Removes finished and cancelled items. */
  clear: () => void
}

/**
 * Uploads files, a few at a time, and adds each to the knowledge base.
 * A file that is there already, or whose name is taken, is held until the user decides.
 * @param begun remembers uploads in parts beyond a reload of the page
 * @param onAdded is called with each new source
 */
export function createUploadQueue(
  client: Groundwork,
  baseId: string,
  { begun, onAdded }: { begun: InterruptedUploads; onAdded: (source: Source) => void },
): UploadQueue {
  let items: readonly UploadItem[] = []
  let interrupted: readonly string[] = begun.names()
  let lastId = 0
  const controllers = new Map<number, AbortController>()
  const listeners = new Set<() => void>()

  const change = (id: number, changes: Partial<UploadItem>): void => {
    items = items.map((item) => (item.id === id ? { ...item, ...changes } : item))
    for (const notify of listeners) notify()
  }
  const startNext = (): void => {
    for (const item of items) if (item.state === 'waiting' && controllers.size < maxConcurrent) void run(item)
  }
  const run = async ({ id, file, uploadId, storageUrl: uploadedUrl, twin: knownTwin, decision }: UploadItem): Promise<void> => {
    const controller = new AbortController()
    const { signal } = controller
    controllers.set(id, controller)
    try {
      let storageUrl = uploadedUrl
      if (storageUrl === undefined) {
        change(id, { state: 'sending', error: undefined, sentBytes: 0 })
        const twin = decision === undefined ? await twinOf(client, baseId, file, signal) : undefined
        if (twin !== undefined) return change(id, { state: 'held', twin })
        const upload = await sendFile(client, file, {
          signal,
          uploadId,
          onProgress: (sentBytes) => change(id, { sentBytes }),
          onParts: (newId) => {
            begun.remember(file, newId)
            change(id, { uploadId: newId })
          },
        })
        storageUrl = upload.storageUrl
        begun.forget(file)
      }
      change(id, { state: 'adding', storageUrl, sentBytes: file.size, error: undefined })
      const replaced = decision === 'replace' && knownTwin !== undefined && knownTwin.kind !== 'upload' ? knownTwin.sourceId : undefined
      const source =
        replaced === undefined
          ? await client.bases.sources.create(baseId, { name: file.name, type: 'file', storageUrl }, { signal })
          : await client.bases.sources.replace(baseId, replaced, { storageUrl }, { signal })
      change(id, { state: 'done', source })
      onAdded(source)
    } catch (error) {
      // An abort has already set the new state.
      if (!signal.aborted) change(id, { state: 'failed', error })
    } finally {
      if (controllers.get(id) === controller) controllers.delete(id)
      startNext()
    }
  }
  const stop = (id: number, state: UploadState): void => {
    controllers.get(id)?.abort()
    controllers.delete(id)
    change(id, { state })
    startNext()
  }
  const inState = (id: number, ...states: UploadState[]): boolean => items.some((item) => item.id === id && states.includes(item.state))
  const enqueue = (id: number): void => {
    change(id, { state: 'waiting', error: undefined })
    startNext()
  }
  const queue: UploadQueue = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    items: () => items,
    interrupted: () => interrupted,
    forgetInterrupted() {
      begun.forgetAll()
      interrupted = []
      for (const notify of listeners) notify()
    },
    add(files) {
      const isSame = (one: File, other: File): boolean => one.name === other.name && one.size === other.size
      const isUploading = (file: File): boolean =>
        items.some((item) => !['done', 'failed', 'cancelled'].includes(item.state) && isSame(item.file, file))
      const isTwin = (file: File, index: number): boolean => isUploading(file) || files.slice(0, index).some((other) => isSame(other, file))
      const added = files.map((file, index): UploadItem => ({
        id: (lastId += 1),
        file,
        state: isTwin(file, index) ? 'held' : 'waiting',
        sentBytes: 0,
        error: undefined,
        uploadId: begun.find(file),
        storageUrl: undefined,
        source: undefined,
        twin: isTwin(file, index) ? { kind: 'upload' } : undefined,
        decision: undefined,
      }))
      items = [...items, ...added]
      interrupted = interrupted.filter((name) => !files.some((file) => file.name === name))
      for (const notify of listeners) notify()
      startNext()
    },
    pause: (id) => inState(id, 'waiting', 'sending') && stop(id, 'paused'),
    resume: (id) => inState(id, 'paused') && enqueue(id),
    cancel(id) {
      if (!inState(id, 'waiting', 'sending', 'paused', 'failed', 'held')) return
      stop(id, 'cancelled')
      for (const { file } of items.filter((item) => item.id === id)) begun.forget(file)
    },
    retry: (id) => inState(id, 'failed', 'cancelled') && enqueue(id),
    retryFailed: () => items.filter(({ state }) => state === 'failed').forEach(({ id }) => queue.retry(id)),
    decide(id, decision) {
      if (!inState(id, 'held')) return
      change(id, { decision })
      enqueue(id)
    },
    skipHeld: () => items.filter(({ state }) => state === 'held').forEach(({ id }) => queue.cancel(id)),
    // Pauses queued uploads first. Otherwise they would start as soon as running ones stop.
    pauseAll: () => items.toSorted((a) => (a.state === 'waiting' ? -1 : 1)).forEach(({ id }) => queue.pause(id)),
    resumeAll: () => items.forEach(({ id }) => queue.resume(id)),
    clear() {
      items = items.filter(({ state }) => state !== 'done' && state !== 'cancelled')
      for (const notify of listeners) notify()
    },
  }
  return queue
}
