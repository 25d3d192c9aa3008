import type { SelectOptions } from '../../db/database.ts'
import type { IndexLoad, SearchStep } from '../../lib/measurements.ts'
import type { IndexMemory } from './base-indexes.ts'
import type { ModelQuery } from './compared-model.ts'
import type { FoundChunks, IndexQuery } from './find-chunks.ts'
import type { BaseScope } from './search-scope.ts'

/** What a search thread is started with. */
export interface SearchThreadData {
  readonly maxBytes: number
  /** The folder of index files and its maximum size; null without files. */
  readonly files: { readonly folder: string; readonly maxBytes: number } | null
}

/** An `IndexQuery` without functions. The thread asks for the competences of models. */
export interface SentQuery extends Omit<IndexQuery, 'scope' | 'compared'> {
  readonly scope: readonly (Omit<BaseScope, 'selected'> & { readonly selected: Float64Array | null })[]
  readonly compared: readonly (Omit<ModelQuery, 'model'> & { readonly model: SentModel })[]
}

export interface SentModel {
  readonly name: string
  readonly unrelatedCosine: number
}

/** A search, and what belongs to it later: `search` is its number. */
export interface SearchMessage {
  readonly type: 'search'
  readonly search: number
  readonly organizationId: string
  readonly query: SentQuery
  /** One number, which is not 0 once the search is aborted. */
  readonly aborted: Int32Array<SharedArrayBuffer>
}

/** A question of the thread to the main thread, which has the database and the embedding models. */
export type Question =
  | { readonly kind: 'select'; readonly text: string; readonly parameters: readonly unknown[]; readonly options: SelectOptions }
  | { readonly kind: 'competences'; readonly model: string; readonly languages: readonly string[] }

export type ToSearchThread =
  | SearchMessage
  | { readonly type: 'answer'; readonly question: number; readonly value: unknown }
  /** `failure` is the number under which the main thread keeps the error. */
  | { readonly type: 'failure'; readonly question: number; readonly failure: number }
  | { readonly type: 'evict'; readonly organizationId: string }
  | { readonly type: 'close' }

/** Durations of a search, in seconds. */
export type Measured = { readonly step: SearchStep; readonly seconds: number } | { readonly load: IndexLoad; readonly seconds: number }

export type FromSearchThread =
  | { readonly type: 'ready' }
  | { readonly type: 'found'; readonly search: number; readonly found: FoundChunks; readonly measured: readonly Measured[] }
  /** An error of the main thread by its number, or one of the thread. */
  | { readonly type: 'failed'; readonly search: number; readonly error: { readonly failure: number } | { readonly thrown: unknown } }
  | {
      readonly type: 'question'
      readonly question: number
      readonly search: number
      readonly organizationId: string
      readonly asked: Question
    }
  | { readonly type: 'memory'; readonly memory: IndexMemory }
  | { readonly type: 'warning'; readonly fields: object; readonly message: string }
  | { readonly type: 'closed' }
