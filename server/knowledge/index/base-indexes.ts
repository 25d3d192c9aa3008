import type { ReadContext } from '../../context.ts'
import { measured, type IndexLoad, type Measurements } from '../../lib/measurements.ts'
import { languageOf } from './analyze.ts'
import { BaseIndex, type GenerationRange, type NumberedRange, type StoredPostings, type Term } from './base-index.ts'
import { chunksPerRead, readLengths, readPostings, readPostingsOf, readTerms, readVectors, type StoredSpan } from './read-index.ts'
import type { IndexFiles } from './index-files.ts'
import type { ComparedModel } from './compared-model.ts'
import type { UnreadableIndexFile } from './positioned-file.ts'
import { ScratchBuffers } from './scratch-buffers.ts'
import { readLiveGenerations, type BaseScope } from './search-scope.ts'

/** Logs warnings, like the logger of the program. */
export interface WarningLog {
  warn(fields: object, message: string): void
}

/** What the indexes need of the context of a search. */
export interface IndexContext extends ReadContext {
  readonly log: WarningLog
  readonly measurements: Pick<Measurements, 'indexLoad' | 'searchStep'>
}

/** The in-memory indexes of the knowledge bases that were searched last, in the thread that searches them. */
export interface BaseIndexes {
  /** Returns the index of a part of a knowledge base, at least as new as the scope. Reads missing chunks from the database. */
  of(ctx: IndexContext, base: ModelPart & Pick<BaseScope, 'fingerprint'>): Promise<CurrentIndex>
  /** Loads the postings of the terms into the index. */
  loadTerms(ctx: IndexContext, base: ModelPart, index: BaseIndex, terms: readonly Term[]): Promise<void>
  /** Drops these indexes and deletes their files, after a search could not read one. */
  discard(ctx: IndexContext, bases: readonly ModelPart[], error: UnreadableIndexFile): Promise<void>
  readonly scratch: ScratchBuffers
  /** Returns the memory of all indexes. */
  memory(): IndexMemory
  /** Deletes the indexes of a deleted organization. */
  evictOrganization(organizationId: string): void
  /** Stops reading inverted indexes in the background; resolves when the current reads have ended. */
  close(): Promise<void>
}

/** The memory of indexes. */
export interface IndexMemory {
  readonly bytes: number
  readonly indexes: number
  readonly maxBytes: number
}

/**
 * The chunks of a knowledge base, or of the index that a re-index builds, with vectors of one embedding model. A knowledge base has
 * several parts while its embedding model changes, see `modelParts`.
 */
export interface ModelPart extends Pick<BaseScope, 'id' | 'reindexId'> {
  readonly model: ComparedModel
  /** The models of all parts. The first part also has the chunks whose vectors no part can compare. */
  readonly parts: readonly string[]
}

/** An index, and the embedding models that its knowledge base had when it was read, see `BaseScope`. */
export interface CurrentIndex {
  readonly index: BaseIndex
  readonly models: readonly string[]
}

interface CachedIndex extends CurrentIndex {
  index: BaseIndex
  models: readonly string[]
  /** `parts` of the index. */
  parts: string
  /** Settles when the last requested change is done. */
  changing: Promise<unknown>
  /** Settles when the inverted index is complete, or cannot be read. */
  inverting?: Promise<void>
}

export interface BaseIndexesOptions {
  readonly maxBytes: number
  readonly elsewhere?: () => number
  readonly files?: IndexFiles | null
}

/** Generations whose postings are read at once. */
const generationsPerRead = 4
/** Chunks of a generation in the inverted index. */
const maxInvertedChunks = 5_000
/** Memory for each word of a chunk: a posting takes 6 bytes, and two fifths of the words are repeated. */
const wordBytes = 4
/** Cached indexes: the address space of a process holds the WebAssembly memories of about 6,500. */
const maxIndexes = 4_000
/** An index is rebuilt when more than half of its chunk numbers, and this many, belong to removed chunks. */
const minReclaimed = 10_000

/**
 * @param maxBytes limit for all indexes together; a single one that is in use may be larger
 * @param elsewhere returns how much of it is used elsewhere
 * @param files copies of the indexes for the next start, if there are any
 */
export function baseIndexes({ maxBytes, elsewhere = () => 0, files = null }: BaseIndexesOptions): BaseIndexes {
  const cached = new Map<string, CachedIndex>()
  let closed = false

  function useIndex(key: string): CachedIndex {
    const entry = cached.get(key) ?? { index: new BaseIndex(), models: [], parts: '', changing: Promise.resolve() }
    // A map keeps insertion order: the last entry is the most recently used.
    cached.delete(key)
    cached.set(key, entry)
    return entry
  }

  const bytesInUse = (): number => [...cached.values()].reduce((sum, { index }) => sum + index.bytes, 0)

  function evictLeastRecentlyUsed(): void {
    let bytes = bytesInUse() + elsewhere()
    for (const [key, { index }] of cached) {
      if ((bytes <= maxBytes && cached.size <= maxIndexes) || cached.size === 1) return
      cached.delete(key)
      bytes -= index.bytes
    }
  }

  /** Deletes the indexes of former parts of a knowledge base. */
  function evictOtherParts(ctx: IndexContext, { parts, ...base }: ModelPart): void {
    const kept = new Set(parts.map((name) => keyOf(ctx, { ...base, model: { name } })))
    const prefix = keyOf(ctx, { ...base, model: { name: '' } })
    for (const key of cached.keys()) if (key.startsWith(prefix) && !kept.has(key)) cached.delete(key)
  }

  /** Runs the changes of an index one after the other. */
  async function serialize(entry: CachedIndex, change: () => Promise<void>): Promise<void> {
    const changed = entry.changing.then(change)
    // The caller handles the error; the next change runs all the same.
    entry.changing = changed.catch(() => undefined)
    await changed
    evictLeastRecentlyUsed()
  }

  /** Completes the inverted index in the background; searches meanwhile load the terms that they need. */
  function invertInBackground(ctx: IndexContext, base: ModelPart, entry: CachedIndex, index: BaseIndex): void {
    entry.inverting ??= invertAll(ctx, base, entry, index).catch((err: unknown) => {
      delete entry.inverting
      ctx.log.warn({ err }, 'the inverted index of a knowledge base could not be read; the next search tries again')
    })
  }

  async function invertAll(ctx: IndexContext, base: ModelPart, entry: CachedIndex, index: BaseIndex): Promise<void> {
    for (;;) {
      const ranges = index.notInverted.slice(0, generationsPerRead)
      if (ranges.length === 0 || !isInvertible(ranges) || entry.index !== index || closed) break
      const stored = await readTerms(
        ctx,
        ranges.map(({ generation }) => generation),
      )
      await serialize(entry, async () => {
        if (entry.index === index) index.invert(ranges, stored)
      })
    }
    delete entry.inverting
    keepFile(ctx, base, entry)
  }

  /** Copies an index that is complete to its file. The index of a re-index is short-lived. */
  function keepFile(ctx: IndexContext, base: ModelPart, entry: CachedIndex): void {
    const { index } = entry
    if (base.reindexId === undefined && (index.isFullyInverted || !isInvertible(index.ranges)))
      files?.keep(ctx, base, index, () => replaceByFile(ctx, base, entry, index))
  }

  /** Replaces a large index in memory by its file, from which searches then read what they need. */
  function replaceByFile(ctx: IndexContext, base: ModelPart, entry: CachedIndex, index: BaseIndex): void {
    serialize(entry, async () => {
      const filed = entry.index === index && !closed ? await readFile(ctx, base, 0) : null
      if (filed !== null) Object.assign(entry, await updated(ctx, base, filed))
    }).catch((err: unknown) => ctx.log.warn({ err }, 'a large index stays in memory, because its file could not be read'))
  }

  const readFile = async (ctx: IndexContext, base: ModelPart, freeBytes: number): Promise<BaseIndex | null> =>
    files === null || base.reindexId !== undefined ? null : files.read(ctx, base, freeBytes)

  return {
    scratch: new ScratchBuffers(),
    async of(ctx, { fingerprint, ...base }) {
      const entry = useIndex(keyOf(ctx, base))
      const parts = base.parts.join(' ')
      const isOld = (): boolean => entry.index.fingerprint !== fingerprint || entry.parts !== parts
      if (isOld()) {
        await serialize(entry, async () => {
          if (!isOld()) return
          const former = entry.index
          let kind: IndexLoad = former.chunks === 0 ? 'cold' : 'update'
          const record = (seconds: number): void => ctx.measurements.indexLoad(kind, seconds)
          await measured(record, async () => {
            const filed = kind === 'cold' ? await readFile(ctx, base, maxBytes - bytesInUse() - elsewhere()) : null
            if (filed !== null) kind = 'file'
            Object.assign(entry, await updated(ctx, base, filed ?? former), { parts })
          })
          keepFile(ctx, base, entry)
        })
        evictOtherParts(ctx, base)
      }
      return { index: entry.index, models: entry.models }
    },
    async loadTerms(ctx, base, index, terms) {
      if (index.missingTerms(terms).length === 0) return
      const entry = useIndex(keyOf(ctx, base))
      // A second search with new terms: the next queries will bring others, so the whole inverted index pays. It may be larger than the
      // limit if a file soon replaces the index, whose vectors are larger still.
      const fits = index.bytes + index.terms * wordBytes <= maxBytes - elsewhere()
      const isReplaced = base.reindexId === undefined && files?.replaces(index) === true
      if (index.hasLoadedTerms && (fits || isReplaced) && isInvertible(index.ranges)) invertInBackground(ctx, base, entry, index)
      await serialize(entry, async () => {
        const missing = index.missingTerms(terms)
        if (missing.length > 0) index.addTerms(missing, await readPostings(ctx, base.id, missing))
      })
    },
    async discard(ctx, bases, error) {
      for (const base of bases) {
        const key = keyOf(ctx, base)
        if ((cached.get(key)?.index.storedChunks ?? 0) === 0) continue
        cached.delete(key)
        await files?.discard(ctx, base, error)
      }
    },
    memory: () => ({ bytes: bytesInUse(), indexes: cached.size, maxBytes }),
    evictOrganization(organizationId) {
      for (const key of cached.keys()) if (key.startsWith(`${organizationId} `)) cached.delete(key)
    },
    async close() {
      closed = true
      await Promise.all([files?.close(), ...Array.from(cached.values(), ({ inverting }) => inverting ?? Promise.resolve())])
    },
  }
}

interface IndexKey extends Pick<BaseScope, 'id' | 'reindexId'> {
  readonly model: Pick<ComparedModel, 'name'>
}

const keyOf = ({ organizationId }: IndexContext, { id, reindexId = '', model }: IndexKey): string =>
  `${organizationId} ${id} ${reindexId} ${model.name}`

/** Returns the index with the generations that are live now: the same object, or a new one if most of its chunks were removed. */
async function updated(ctx: IndexContext, base: ModelPart, former: BaseIndex): Promise<CurrentIndex> {
  const { model } = base
  const { fingerprint, models, generations } = await readLiveGenerations(ctx, base, {
    model: model.name,
    isFirst: base.parts[0] === model.name,
    otherParts: base.parts.filter((other) => other !== model.name),
  })
  const index = former.size > 2 * former.chunks + minReclaimed ? new BaseIndex() : former
  const hasVectors = new Map(generations.map((each) => [each.generation, each.hasVectors]))
  const removed = index.ranges.filter((range) => hasVectors.get(range.generation) !== range.hasVectors)
  const kept = new Set(index.ranges.filter((range) => !removed.includes(range)).map(({ generation }) => generation))
  const missing = generations.filter(({ generation }) => !kept.has(generation)).map(({ generation }) => generation)
  const lengths = missing.length === 0 ? [] : await readLengths(ctx, missing)
  const competences = await model.competences([...new Set(lengths.flatMap(({ languages }) => languages.map(languageOf)))])
  const added = lengths.map(({ runs, ...each }) =>
    index.number({
      ...each,
      hasVectors: hasVectors.get(each.generation) === true,
      competences: runs.map(({ language, chunks }) => ({ competence: competences[languageOf(language)] ?? 0, chunks })),
    }),
  )
  for (const spans of batches(added.filter((range) => range.hasVectors))) await loadVectors(ctx, base.id, index, spans)
  const postings = await loadPostings(ctx, index, added)
  index.apply({ fingerprint, added, postings, removed: removed.map(({ generation }) => generation) })
  return { index, models }
}

/** Returns the postings of the added generations for the loaded terms; extends the inverted index instead if it is complete. */
async function loadPostings(ctx: IndexContext, index: BaseIndex, added: readonly NumberedRange[]): Promise<StoredPostings[]> {
  if (added.length === 0) return []
  const generations = added.map(({ generation }) => generation)
  if (!index.isFullyInverted) return index.hasLoadedTerms ? readPostingsOf(ctx, generations, index.loadedTerms) : []
  if (!isInvertible(added)) return []
  for (let from = 0; from < added.length; from += generationsPerRead) {
    const stored = await readTerms(ctx, generations.slice(from, from + generationsPerRead))
    index.invert(added.slice(from, from + generationsPerRead), stored)
  }
  return []
}

/**
 * Returns whether the inverted index can hold all terms. Reading the postings of a document with more chunks takes the embedded engine
 * seconds, in which it answers nobody else; searches load the terms that they need instead.
 */
const isInvertible = (ranges: readonly GenerationRange[]): boolean => ranges.every(({ from, to }) => to - from <= maxInvertedChunks)

async function loadVectors(ctx: IndexContext, baseId: string, index: BaseIndex, spans: readonly RangeSpan[]): Promise<void> {
  const byGeneration = new Map(spans.map(({ range }) => [range.generation, range]))
  for (const { generation, ordinal, vector } of await readVectors(ctx, baseId, spans)) {
    const range = byGeneration.get(generation)
    if (range !== undefined) index.setVector(range, ordinal, vector)
  }
}

interface RangeSpan extends StoredSpan {
  readonly range: GenerationRange
}

/** Divides ranges into spans, and groups them into batches of at most about `chunksPerRead` chunks. */
function batches(ranges: readonly GenerationRange[]): RangeSpan[][] {
  const all: RangeSpan[][] = []
  let free = 0
  for (const range of ranges) {
    for (const span of spansOf(range)) {
      if (free <= 0) {
        all.push([])
        free = chunksPerRead
      }
      all.at(-1)?.push(span)
      free -= Math.min(range.to - range.from, chunksPerRead)
    }
  }
  return all
}

/** Returns the spans of a range by ordinal, which begin at 0 and rarely have gaps. */
function spansOf(range: GenerationRange): RangeSpan[] {
  const { generation } = range
  const count = Math.max(1, Math.ceil((range.to - range.from) / chunksPerRead))
  return Array.from({ length: count }, (_, at) => {
    const last = at === count - 1 ? maxOrdinal : (at + 1) * chunksPerRead - 1
    return { range, generation, ordinals: { first: at * chunksPerRead, last } }
  })
}

const maxOrdinal = 2 ** 31 - 1
