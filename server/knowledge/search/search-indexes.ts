import type { Context } from '../../context.ts'
import { BaseIndex, type GenerationRange, type NumberedRange, type StoredPostings, type Term } from './base-index.ts'
import { readGenerations, type LiveBase } from './live.ts'
import { readLengths, readPostings, readPostingsOf, readVectors, readWords } from './read-index.ts'
import { seenBases, type SeenBases } from './seen-bases.ts'

/** The indexes of the bases that were searched last, in memory. */
export interface SearchIndexes {
  /** The base's index, not older than the base as it was read. What it lacks is read from the database. */
  of(ctx: Context, base: OneIndex & Pick<LiveBase, 'fingerprint'>): Promise<BaseIndex>
  /** Has the index of a base know the terms. */
  learn(ctx: Context, base: OneIndex, index: BaseIndex, terms: readonly Term[]): Promise<void>
  readonly seen: SeenBases
  /** Bases in whose last search some hits were copies of others. */
  readonly withCopies: Set<string>
  /** Ends when nothing is read any more that no search waits for. */
  close(): Promise<void>
}

/** A base, as it is or as a re-index has built it. */
type OneIndex = Pick<LiveBase, 'id' | 'reindexId'>

interface Kept {
  index: BaseIndex
  /** Ends when the last change that was asked for is done. */
  changing: Promise<unknown>
  /** Ends when all words of the base are kept, or cannot be. */
  reading?: Promise<void>
}

/** Generations whose words are read at once. */
const wordsTogether = 4
/** Chunks whose vectors are read at once. */
const together = 4_000
/** Bytes in memory of a term of a chunk. */
const termBytes = 6
/** Bases kept at most: a process has address space for the memory of about 6,500. */
const mostBases = 4_000
/** Numbers of removed chunks are given back when they are so many more than the live ones. */
const spare = 10_000

/** @param maxBytes what all indexes take at most; the one in use may be larger */
export function searchIndexes({ maxBytes }: { maxBytes: number }): SearchIndexes {
  const kept = new Map<string, Kept>()
  let closed = false

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
      if ((bytes <= maxBytes && kept.size <= mostBases) || kept.size === 1) return
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

  /** Beside the searches: those that come meanwhile read the words that they need. */
  function readAllWords(ctx: Context, one: Kept, index: BaseIndex): void {
    one.reading ??= readSome(ctx, one, index).catch((err: unknown) => {
      delete one.reading
      ctx.log.warn({ err }, 'the words of a base could not be read yet')
    })
  }

  async function readSome(ctx: Context, one: Kept, index: BaseIndex): Promise<void> {
    for (;;) {
      const some = index.withoutWords.slice(0, wordsTogether)
      if (some.length === 0 || one.index !== index || closed) break
      const stored = await readWords(
        ctx,
        some.map(({ generation }) => generation),
      )
      await inTurn(one, async () => {
        if (one.index === index) index.keepWords(some, stored)
      })
    }
    delete one.reading
  }

  return {
    seen: seenBases(),
    withCopies: new Set(),
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
      const one = keep(keyOf(ctx, base))
      // Asked again: the next questions will have other words still.
      if (index.knowsTerms && index.bytes + index.terms * termBytes <= maxBytes) readAllWords(ctx, one, index)
      await inTurn(one, async () => {
        const missing = index.unknown(terms)
        if (missing.length > 0) index.learn(missing, await readPostings(ctx, base.id, missing))
      })
    },
    async close() {
      closed = true
      await Promise.all(Array.from(kept.values(), ({ reading }) => reading ?? Promise.resolve()))
    },
  }
}

const keyOf = ({ organizationId }: Context, { id, reindexId = '' }: OneIndex): string => `${organizationId} ${id} ${reindexId}`

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
  const postings = await postingsOfFresh(ctx, index, added)
  index.apply({ fingerprint, added, postings, removed: removed.map(({ generation }) => generation) })
  return index
}

/** What the added generations have of the terms that are known; all their words, where those of the others are kept. */
async function postingsOfFresh(ctx: Context, index: BaseIndex, added: readonly NumberedRange[]): Promise<StoredPostings[]> {
  if (added.length === 0) return []
  const generations = added.map(({ generation }) => generation)
  if (!index.hasAllWords) return index.knowsTerms ? readPostingsOf(ctx, generations, index.known) : []
  for (let from = 0; from < added.length; from += wordsTogether) {
    const stored = await readWords(ctx, generations.slice(from, from + wordsTogether))
    index.keepWords(added.slice(from, from + wordsTogether), stored)
  }
  return []
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
