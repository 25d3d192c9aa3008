import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../context.ts'
import type { LiveBase, Narrowing } from './live.ts'

/** Bases as searches found them last, for who goes by them only as long as the database says the same. */
export interface SeenBases {
  /** What the last search of just these found; undefined where it is not remembered. */
  find(ctx: Context, baseIds: readonly string[], narrowing: Narrowing): readonly LiveBase[] | undefined
  note(ctx: Context, baseIds: readonly string[], narrowing: Narrowing, bases: readonly LiveBase[]): void
}

/** Searches remembered at most, each by what it was narrowed to. */
const capacity = 1_000
/** Generations of all narrowed searches that are remembered. */
const mostWanted = 1_000_000

export function seenBases(): SeenBases {
  const seen = new Map<string, readonly LiveBase[]>()
  let wanted = 0

  function forget(key: string): void {
    wanted -= wantedOf(seen.get(key) ?? [])
    seen.delete(key)
  }

  return {
    find(ctx, baseIds, narrowing) {
      const key = keyOf(ctx, baseIds, narrowing)
      const bases = seen.get(key)
      if (bases === undefined) return undefined
      // The last in the map is the one used last.
      seen.delete(key)
      seen.set(key, bases)
      return bases
    },
    note(ctx, baseIds, narrowing, bases) {
      // A re-index may come to its end: whether it may be searched is asked before.
      if (narrowing.reindexId !== undefined) return
      const key = keyOf(ctx, baseIds, narrowing)
      forget(key)
      seen.set(key, bases)
      wanted += wantedOf(bases)
      for (const oldest of seen.keys()) {
        if (seen.size <= capacity && wanted <= mostWanted) return
        forget(oldest)
      }
    },
  }
}

const wantedOf = (bases: readonly LiveBase[]): number => bases.reduce((sum, base) => sum + (base.wanted?.length ?? 0), 0)

const keyOf = ({ organizationId }: Context, baseIds: readonly string[], { sourceIds, filter, reindexId }: Narrowing): string =>
  JSON.stringify([organizationId, baseIds, sourceIds, filter, reindexId])

/** Whether nothing has changed between two looks at the same bases. */
export const areSame = (some: readonly LiveBase[], others: readonly LiveBase[]): boolean => isDeepStrictEqual(some, others)
