import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import type { BaseScope, SourceSelection } from './search-scope.ts'

/** Caches search scopes. A cached scope is a guess: the search that uses it reads the current scope as well and compares. */
export interface ScopeCache {
  /** Returns the scope of the last search with this selection; undefined if it is not cached. */
  find(ctx: Context, baseIds: readonly string[], selection: SourceSelection): readonly BaseScope[] | undefined
  set(ctx: Context, baseIds: readonly string[], selection: SourceSelection, bases: readonly BaseScope[]): void
}

/** Cached scopes. */
const maxScopes = 1_000
/** Selected generations in all cached scopes. */
const maxSelected = 1_000_000

export function createScopeCache(): ScopeCache {
  const scopes = new Map<string, readonly BaseScope[]>()
  let selected = 0

  function remove(key: string): void {
    selected -= countSelected(scopes.get(key) ?? [])
    scopes.delete(key)
  }

  return {
    find(ctx, baseIds, selection) {
      const key = keyOf(ctx, baseIds, selection)
      const bases = scopes.get(key)
      if (bases === undefined) return undefined
      // A map keeps insertion order: the last entry is the most recently used.
      scopes.delete(key)
      scopes.set(key, bases)
      return bases
    },
    set(ctx, baseIds, selection, bases) {
      // A re-index may end: its status is checked before each search.
      if (selection.reindexId !== undefined) return
      const key = keyOf(ctx, baseIds, selection)
      remove(key)
      scopes.set(key, bases)
      selected += countSelected(bases)
      for (const oldest of scopes.keys()) {
        if (scopes.size <= maxScopes && selected <= maxSelected) return
        remove(oldest)
      }
    },
  }
}

const countSelected = (bases: readonly BaseScope[]): number => bases.reduce((sum, base) => sum + (base.selected?.length ?? 0), 0)

const keyOf = ({ organizationId }: Context, baseIds: readonly string[], { sourceIds, filter, reindexId }: SourceSelection): string =>
  JSON.stringify([organizationId, baseIds, sourceIds, filter, reindexId])

/** Returns whether two scopes of the same knowledge bases are equal. */
export const isSameScope = (some: readonly BaseScope[], others: readonly BaseScope[]): boolean => isDeepStrictEqual(some, others)
