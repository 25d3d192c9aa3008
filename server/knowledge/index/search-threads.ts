import type { IndexContext } from './base-indexes.ts'
import type { IndexQuery } from './find-chunks.ts'
import type { IndexFiles } from './index-files.ts'
import { searchIndexes, type SearchIndexes } from './search-indexes.ts'
import { SearchThreadEnded, startSearchThread, type SearchThread, type SearchThreadOptions } from './search-thread.ts'
import type { SearchThreadData } from './thread-messages.ts'

export interface SearchThreadsOptions extends Omit<SearchThreadOptions, 'onEnded' | 'files'> {
  /** Maximum number of threads, at least 1. */
  readonly threads: number
  /** Files of the indexes in the thread of the caller. */
  readonly files: IndexFiles | null
  /** The folder of the files for the threads, and its maximum size. */
  readonly indexFiles: SearchThreadData['files']
  /** Knowledge bases with fewer chunks are searched in the thread of the caller. */
  readonly minChunks?: number
}

/** The threads that have the indexes of some knowledge bases. */
interface Home {
  readonly threads: Set<SearchThread>
  /** Whether all of the indexes are in files: then each thread has little of them in memory. */
  isStored: boolean
}

/** Sets of knowledge bases whose threads are known. */
const maxHomes = 10_000
/** Attempts at a search whose thread ends. */
const maxAttempts = 3
/** Searches of a thread after which a knowledge base moves to a thread without any. */
const maxWaiting = 2

/**
 * Searches large knowledge bases in threads, so that the thread that serves HTTP does not wait for their rankings. Each thread has
 * indexes of its own. A knowledge base is searched by one of them, and by another one when that one is busy; one whose index is in a
 * file, by all of them. Small knowledge bases are searched in the thread of the caller: to ask another one would take longer.
 *
 * The first thread starts with the first search of a large knowledge base, and the others when searches wait. They have half of the
 * memory.
 */
export function searchThreads({
  threads: maxThreads,
  maxBytes,
  files,
  indexFiles,
  contextOf,
  log,
  minChunks = 20_000,
}: SearchThreadsOptions): SearchIndexes {
  const threads: SearchThread[] = []
  const homes = new Map<string, Home>()
  const threadBytes = (): number => threads.reduce((sum, thread) => sum + thread.memory().bytes, 0)
  const local = searchIndexes({ maxBytes, elsewhere: threadBytes, files })
  let closed = false

  function start(): SearchThread {
    const thread = startSearchThread({
      maxBytes: Math.floor(maxBytes / 2 / maxThreads),
      files: indexFiles,
      contextOf,
      log,
      onEnded(err) {
        log.warn({ err }, 'a search thread ended; the next search starts another')
        threads.splice(threads.indexOf(thread), 1)
        for (const home of homes.values()) home.threads.delete(thread)
      },
    })
    threads.push(thread)
    return thread
  }

  function chosen(key: string): { thread: SearchThread; home: Home } {
    const ready = threads.filter(({ isReady }) => isReady)
    const free = leastBusy(ready) ?? threads[0] ?? start()
    if (free.waiting > 0 && threads.length < maxThreads) start()
    const home = homes.get(key) ?? { threads: new Set(), isStored: false }
    // A map keeps insertion order: the last entry is the most recently used.
    homes.delete(key)
    homes.set(key, home)
    const [oldest] = homes.keys()
    if (homes.size > maxHomes && oldest !== undefined) homes.delete(oldest)
    const own = leastBusy([...home.threads])
    const maxOwn = home.isStored ? 1 : maxWaiting
    if (own !== undefined && (own.waiting < maxOwn || free.waiting > 0)) return { thread: own, home }
    if (!home.isStored) home.threads.clear()
    home.threads.add(free)
    return { thread: free, home }
  }

  async function find(ctx: IndexContext, query: IndexQuery, signal: AbortSignal | undefined) {
    const { thread, home } = chosen([ctx.organizationId, ...query.scope.map(({ id }) => id)].join(' '))
    const found = await thread.find(ctx, query, signal)
    home.isStored = found.isStored
    return found
  }

  return {
    ...local,
    async find(ctx, query, signal) {
      if (query.scope.reduce((sum, { chunks }) => sum + chunks, 0) < minChunks) return local.find(ctx, query, signal)
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await find(ctx, query, signal)
        } catch (error) {
          if (!(error instanceof SearchThreadEnded) || closed || attempt === maxAttempts) throw error
        }
      }
    },
    memory() {
      const { bytes, indexes } = local.memory()
      const inThreads = threads.reduce((sum, thread) => sum + thread.memory().indexes, 0)
      return { bytes: bytes + threadBytes(), indexes: indexes + inThreads, maxBytes }
    },
    evictOrganization(organizationId) {
      local.evictOrganization(organizationId)
      for (const thread of threads) thread.evictOrganization(organizationId)
      for (const key of homes.keys()) if (key.startsWith(`${organizationId} `)) homes.delete(key)
    },
    async close() {
      closed = true
      await Promise.all([local.close(), ...threads.map((thread) => thread.close())])
    },
  }
}

const leastBusy = (threads: readonly SearchThread[]): SearchThread | undefined =>
  threads.reduce<SearchThread | undefined>(
    (best, thread) => (best === undefined || thread.waiting < best.waiting ? thread : best),
    undefined,
  )
