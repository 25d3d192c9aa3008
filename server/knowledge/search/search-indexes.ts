import type { Context } from '../../context.ts'
import { BaseIndex, type GenerationRange, type StoredPostings, type Term } from './base-index.ts'
import { GenerationWords } from './generation-words.ts'
import { readGenerations, type LiveBase } from './live.ts'
import { readLengths, readPostings, readPostingsOf, readVectors, readWords } from './read-index.ts'

/** The indexes of the bases that were searched last, in memory. */
export interface SearchIndexes {
  /** The base's index, not older than the base as it was read. What it lacks is read from the database. */
  of(ctx: Context, base: OneIndex & Pick<LiveBase, 'fingerprint'>): Promise<BaseIndex>
  /** Has the index of a base know the terms. */
  learn(ctx: Context, base: OneIndex, index: BaseIndex, terms: readonly Term[]): Promise<void>
}

/** A base, as it is or as a re-index has built it. */
type OneIndex = Pick<LiveBase, 'id' | 'reindexId'>

interface Kept {
  index: BaseIndex
  /** Ends when the last change that was asked for is done. */
  changing: Promise<unknown>
}

/** Generations whose words are read at once. */
const wordsTogether = 4
/** Chunks whose vectors are read at once. */
const together = 4_000
/** Chunks of a base, of which all words are kept as soon as it is asked again. Of more, the words that were asked for are. */
const keptUpTo = 20_000
/** Numbers of removed chunks are given back when they are so many more than the live ones. */
const spare = 10_000

/** @param maxBytes what all indexes take at most; the one in use may be larger */
export function searchIndexes({ maxBytes }: { maxBytes: number }): SearchIndexes {
  const kept = new Map<string, Kept>()

  function keep(key: string): Kept {
    const one = kept.get(key) ?? { index: new BaseIndex(), changing: Promise.resolve() }
    // The last in the map is the one used last.
    kept.delete(key)
    kept.set(key, one)
    return one
  }

  function forgetOldest(): void {
    let bytes = [...kept.values()].reduce((sum, { index }) => sum + index.bytes, 0)
    for (const [key, { index }] of kept) {
      if (bytes <= maxBytes || kept.size === 1) return
      kept.delete(key)
      bytes -= index.bytes
    }
  }

  /** Changes of a base come one after the other. */
  async function inTurn(one: Kept, change: () => Promise<void>): Promise<void> {
    const changed = one.changing.then(change)
    one.changing = changed.catch(() => undefined)
    await changed
    forgetOldest()
  }

  return {
    async of(ctx, { fingerprint, ...base }) {
      const one = keep(keyOf(ctx, base))
      if (one.index.fingerprint !== fingerprint) {
        await inTurn(one, async () => {
          if (one.index.fingerprint !== fingerprint) one.index = await broughtUp(ctx, base, one.index)
        })
      }
      return one.index
    },
    async learn(ctx, base, index, terms) {
      if (index.unknown(terms).length === 0) return
      if (wordsAreKept(index)) return learnKept(index, terms)
      await inTurn(keep(keyOf(ctx, base)), async () => {
        const missing = index.unknown(terms)
        if (missing.length === 0) return
        if (index.known.length === 0 || index.chunks > keptUpTo) return index.learn(missing, await readPostings(ctx, base.id, missing))
        // Asked again: the next questions will have other words still.
        await readWordsOf(ctx, index, index.withoutWords)
        learnKept(index, terms)
      })
    },
  }
}

const keyOf = ({ organizationId }: Context, { id, reindexId = '' }: OneIndex): string => `${organizationId} ${id} ${reindexId}`

const wordsAreKept = (index: BaseIndex): boolean => index.chunks > 0 && index.withoutWords.length === 0

function learnKept(index: BaseIndex, terms: readonly Term[]): void {
  const missing = index.unknown(terms)
  const generations = index.ranges.map(({ generation }) => generation)
  index.learn(missing, index.keptPostings(missing, generations))
}

async function readWordsOf(ctx: Context, index: BaseIndex, generations: readonly number[]): Promise<void> {
  for (let from = 0; from < generations.length; from += wordsTogether) {
    const some = generations.slice(from, from + wordsTogether)
    const stored = await readWords(ctx, some)
    for (const generation of some) index.keepWords(generation, new GenerationWords(stored.filter((each) => each.generation === generation)))
  }
}

/** The index with what is live now: the same one, or a new one where most of the old is gone. */
async function broughtUp(ctx: Context, base: OneIndex, former: BaseIndex): Promise<BaseIndex> {
  const { fingerprint, generations } = await readGenerations(ctx, base, ctx.embedder.model)
  const index = former.size > 2 * former.chunks + spare ? new BaseIndex() : former
  const compared = new Map(generations.map((each) => [each.generation, each.compared]))
  const removed = index.ranges.filter((range) => compared.get(range.generation) !== range.compared)
  const lasting = new Set(index.ranges.filter((range) => !removed.includes(range)).map(({ generation }) => generation))
  const fresh = generations.filter(({ generation }) => !lasting.has(generation)).map(({ generation }) => generation)
  const added =
    fresh.length === 0
      ? []
      : (await readLengths(ctx, fresh)).map((each) => index.number({ ...each, compared: compared.get(each.generation) === true }))
  for (const some of batches(added.filter((range) => range.compared))) await readVectorsOf(ctx, base.id, index, some)
  const postings = await postingsOfFresh(ctx, index, fresh)
  index.apply({ fingerprint, added, postings, removed: removed.map(({ generation }) => generation) })
  return index
}

/** What the fresh generations have of the terms that are known. */
async function postingsOfFresh(ctx: Context, index: BaseIndex, fresh: readonly number[]): Promise<StoredPostings[]> {
  if (fresh.length === 0) return []
  if (!wordsAreKept(index)) return index.known.length === 0 ? [] : readPostingsOf(ctx, fresh, index.known)
  await readWordsOf(ctx, index, fresh)
  return index.keptPostings(index.known, fresh)
}

async function readVectorsOf(ctx: Context, baseId: string, index: BaseIndex, ranges: readonly GenerationRange[]): Promise<void> {
  const byGeneration = new Map(ranges.map((range) => [range.generation, range]))
  for (const { generation, ordinal, vector } of await readVectors(ctx, baseId, [...byGeneration.keys()])) {
    const range = byGeneration.get(generation)
    if (range !== undefined) index.setVector(range, ordinal, vector)
  }
}

/** Of about as many chunks each. */
function batches(ranges: readonly GenerationRange[]): GenerationRange[][] {
  const all: GenerationRange[][] = []
  let room = 0
  for (const range of ranges) {
    if (room <= 0) {
      all.push([])
      room = together
    }
    all.at(-1)?.push(range)
    room -= range.to - range.from
  }
  return all
}
