import { baseIndexes, type BaseIndexesOptions, type IndexContext, type IndexMemory } from './base-indexes.ts'
import { findChunks, type FoundChunks, type IndexQuery } from './find-chunks.ts'
import { createScopeCache, type ScopeCache } from './search-scope.ts'

/** Searches the in-memory indexes of knowledge bases, and remembers what the next searches need. */
export interface SearchIndexes {
  /** Does the same as `findChunks`. */
  find(ctx: IndexContext, query: IndexQuery, signal?: AbortSignal): Promise<FoundChunks>
  readonly scopes: ScopeCache
  /** Sets of knowledge bases whose last search found duplicates. */
  readonly withDuplicates: Set<string>
  /** Returns the memory of all indexes. */
  memory(): IndexMemory
  /** Deletes the indexes and cached scopes of a deleted organization. */
  evictOrganization(organizationId: string): void
  /** Stops work in the background; resolves when the current work has ended. */
  close(): Promise<void>
}

/** Searches in the thread of the caller. Parameters as for `baseIndexes`. */
export function searchIndexes(options: BaseIndexesOptions): SearchIndexes {
  const indexes = baseIndexes(options)
  const scopes = createScopeCache()
  return {
    find: (ctx, query, signal) => findChunks(ctx, indexes, query, signal),
    scopes,
    withDuplicates: new Set(),
    memory: () => indexes.memory(),
    evictOrganization(organizationId) {
      indexes.evictOrganization(organizationId)
      scopes.deleteOrganization(organizationId)
    },
    close: () => indexes.close(),
  }
}
