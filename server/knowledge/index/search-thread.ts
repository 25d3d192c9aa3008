import { CompiledQuery } from 'kysely'
import { Worker } from 'node:worker_threads'
import { select, type ReadContext } from '../../context.ts'
import { entryPoint } from '../../lib/entry.ts'
import type { IndexContext, IndexMemory, WarningLog } from './base-indexes.ts'
import type { ComparedModel } from './compared-model.ts'
import type { FoundChunks, IndexQuery } from './find-chunks.ts'
import type { FromSearchThread, Question, SearchThreadData, SentQuery, ToSearchThread } from './thread-messages.ts'

/** A thread that searches, with indexes of its own. */
export interface SearchThread {
  /** Does the same as `findChunks`. @throws SearchThreadEnded */
  find(ctx: IndexContext, query: IndexQuery, signal?: AbortSignal): Promise<FoundChunks>
  /** Number of searches that it has not answered yet. */
  readonly waiting: number
  readonly isReady: boolean
  memory(): IndexMemory
  evictOrganization(organizationId: string): void
  close(): Promise<void>
}

/** The thread ended during a search, for example because its memory was exhausted. */
export class SearchThreadEnded extends Error {}

export interface SearchThreadOptions extends SearchThreadData {
  /** Returns the context for statements of work in the background. */
  readonly contextOf: (organizationId: string) => ReadContext
  readonly log: WarningLog
  /** Called once if the thread ends by itself. */
  readonly onEnded: (error: SearchThreadEnded) => void
}

interface Search {
  readonly ctx: IndexContext
  readonly models: ReadonlyMap<string, ComparedModel>
  /** Errors of the main thread that the thread knows by their numbers. */
  readonly failures: Map<number, unknown>
  resolve: (found: FoundChunks) => void
  reject: (error: unknown) => void
}

/** Starts a search thread. It asks this thread for rows of the database and for the competences of embedding models. */
export function startSearchThread({ maxBytes, files, contextOf, log, onEnded }: SearchThreadOptions): SearchThread {
  const worker = new Worker(entryPoint(import.meta.url, './search-worker'), {
    name: 'search',
    workerData: { maxBytes, files } satisfies SearchThreadData,
  })
  const searches = new Map<number, Search>()
  /** The embedding models of the searches so far: work in the background goes on after a search. */
  const models = new Map<string, ComparedModel>()
  let last = 0
  let lastFailure = 0
  let isReady = false
  let memory: IndexMemory = { bytes: 0, indexes: 0, maxBytes }
  let closing: (() => void) | undefined
  let failure: unknown

  worker.on('message', (message: FromSearchThread) => {
    if (message.type === 'ready') isReady = true
    else if (message.type === 'question') void answer(message)
    else if (message.type === 'memory') memory = message.memory
    else if (message.type === 'warning') log.warn(message.fields, message.message)
    else if (message.type === 'closed') closing?.()
    else end(message)
  })
  worker.on('error', (error) => (failure = error))
  worker.on('exit', () => {
    const error = new SearchThreadEnded('a search thread ended', { cause: failure })
    for (const { reject } of searches.values()) reject(error)
    searches.clear()
    if (closing === undefined) onEnded(error)
    closing?.()
  })

  function end(message: Extract<FromSearchThread, { type: 'found' | 'failed' }>): void {
    const search = searches.get(message.search)
    searches.delete(message.search)
    if (search === undefined) return
    if (message.type === 'failed') {
      const { error } = message
      return search.reject('failure' in error ? search.failures.get(error.failure) : error.thrown)
    }
    const { measurements } = search.ctx
    for (const each of message.measured) {
      if ('step' in each) measurements.searchStep(each.step, each.seconds)
      else measurements.indexLoad(each.load, each.seconds)
    }
    search.resolve(message.found)
  }

  async function answer({ question, search: id, organizationId, asked }: Extract<FromSearchThread, { type: 'question' }>): Promise<void> {
    const search = searches.get(id)
    try {
      send({ type: 'answer', question, value: await valueOf(search, organizationId, asked) })
    } catch (error) {
      lastFailure += 1
      search?.failures.set(lastFailure, error)
      // Nobody else would learn of a failure of work in the background.
      if (search === undefined) log.warn({ err: error }, 'a search thread could not read from the database')
      send({ type: 'failure', question, failure: lastFailure })
    }
  }

  async function valueOf(search: Search | undefined, organizationId: string, asked: Question): Promise<unknown> {
    if (asked.kind === 'competences')
      return (search?.models.get(asked.model) ?? models.get(asked.model))?.competences(asked.languages) ?? {}
    const ctx = search?.ctx ?? contextOf(organizationId)
    if (ctx.organizationId !== organizationId) throw new Error('a search thread asked for another organization')
    const { text, parameters, options } = asked
    return select(ctx, () => ({ compile: () => CompiledQuery.raw(text, [...parameters]) }), options)
  }

  function send(message: ToSearchThread): void {
    worker.postMessage(message)
  }

  return {
    async find(ctx, query, signal) {
      last += 1
      const id = last
      const compared = new Map(query.compared.map(({ model }) => [model.name, model]))
      for (const [name, model] of compared) models.set(name, model)
      const aborted = new Int32Array(new SharedArrayBuffer(4))
      const abort = (): void => void Atomics.store(aborted, 0, 1)
      if (signal?.aborted === true) abort()
      signal?.addEventListener('abort', abort, { once: true })
      try {
        return await new Promise<FoundChunks>((resolve, reject) => {
          searches.set(id, { ctx, models: compared, failures: new Map(), resolve, reject })
          send({ type: 'search', search: id, organizationId: ctx.organizationId, query: sentQuery(query), aborted })
        })
      } catch (error) {
        signal?.throwIfAborted()
        throw error
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    get waiting() {
      return searches.size
    },
    get isReady() {
      return isReady
    },
    memory: () => memory,
    evictOrganization: (organizationId) => send({ type: 'evict', organizationId }),
    async close() {
      await new Promise<void>((closed) => {
        closing = closed
        send({ type: 'close' })
      })
      await worker.terminate()
    },
  }
}

function sentQuery({ scope, compared, ...query }: IndexQuery): SentQuery {
  return {
    ...query,
    scope: scope.map((base) => ({ ...base, selected: base.selected && sentNumbers(base.selected) })),
    compared: compared.map(({ model: { name, unrelatedCosine }, ...rest }) => ({ ...rest, model: { name, unrelatedCosine } })),
  }
}

/** Shared, because a copy of the generations of 100,000 sources for each search would take as long as the search. Scopes are cached. */
const knownNumbers = new WeakMap<readonly number[], Float64Array>()

function sentNumbers(numbers: readonly number[]): Float64Array {
  const known = knownNumbers.get(numbers)
  if (known !== undefined) return known
  const shared = new Float64Array(new SharedArrayBuffer(8 * numbers.length))
  shared.set(numbers)
  knownNumbers.set(numbers, shared)
  return shared
}
