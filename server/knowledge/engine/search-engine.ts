import { groupBy } from '../../lib/group-by.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { KnowledgeContext } from '../context.ts'
import { languageOf, type QueryTerm } from '../index/analyze.ts'
import type { StoredPostings, Term } from '../index/base-index.ts'
import { bm25Parameters, statisticsOf } from '../index/bm25.ts'
import type { ModelPart } from '../index/base-indexes.ts'
import { readCollection, type BaseScope, type StoredCollection } from '../index/search-scope.ts'
import { ScratchBuffers } from '../index/scratch-buffers.ts'
import { CandidateIndex, frequencyKey } from './candidate-index.ts'
import type { EngineTarget } from './feed.ts'
import { allIndices, featureOf, indexOf, routingOf } from './mapping.ts'
import { engineFailure } from './opensearch.ts'
import { placeKey, readVectorsOfSearched, type Place } from './read-candidates.ts'
import { termHash, unpackChunk, type PackedChunk } from './terms-format.ts'

/** A part of a knowledge base that is searched in the engine. */
export interface EnginePart {
  readonly base: BaseScope
  readonly part: ModelPart
  readonly collection: StoredCollection
  /** Document frequencies by `frequencyKey`. */
  readonly frequencies: Map<string, number>
}

export interface CandidateQuery {
  readonly terms: readonly QueryTerm[]
  readonly termWeights: readonly number[]
  /** Null for a lexical search. */
  readonly vector: Float32Array | null
  readonly topK: number
  readonly perSourceLimit: number | null
  readonly signal?: AbortSignal | undefined
}

/** Searches in an engine that holds all chunks. */
export interface SearchEngine {
  readonly scratch: ScratchBuffers
  /** Returns the part with its counts; reads those that changed since the last search from the database. */
  open(ctx: KnowledgeContext, base: BaseScope, part: ModelPart): Promise<EnginePart>
  /** Completes the document frequencies of the terms. */
  loadFrequencies(ctx: KnowledgeContext, part: EnginePart, terms: readonly (readonly Term[])[], signal?: AbortSignal): Promise<void>
  /** Returns an index of the part without chunks, with its statistics. */
  withoutChunks(part: EnginePart): CandidateIndex
  /**
   * Returns an index of the best chunks by words and by vectors: of the whole part, and of the selected generations.
   * @param all the parts of the search, whose statistics the words are weighted by
   */
  find(ctx: KnowledgeContext, part: EnginePart, all: readonly EnginePart[], query: CandidateQuery): Promise<CandidateIndex>
}

/** Candidates by words, and as many by vectors. */
const candidateCount = 500
/** Candidates if the hits of each source are limited. */
const limitedCount = 1_500
/** Generations in one list of a filter: an index refuses lists of more than 65,536. */
const maxListed = 60_000
/** Terms that choose candidates, the most important ones: an index refuses queries with more than 1,024 clauses. */
const maxTerms = 256
const timeoutMs = 3_000
/** Attempts at a search that shards fail, and the pause between them. */
const [maxAttempts, retryMs] = [5, 200]
/** Cached collections. */
const maxCollections = 1_000

export function createSearchEngine({ client, settings }: EngineTarget): SearchEngine {
  const collections = new Map<string, Omit<EnginePart, 'base' | 'part'>>()

  const search = async (
    ctx: KnowledgeContext,
    { part }: EnginePart,
    searches: readonly (readonly [index: string, body: object])[],
    signal: AbortSignal | undefined,
  ): Promise<EngineReply[]> => {
    const routing = routingOf(ctx.organizationId, part.id)
    const lines = searches.flatMap(([index, body]) => [{ index, routing, ignore_unavailable: true, allow_no_indices: true }, body])
    const content = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    for (let attempt = 1; ; attempt++) {
      const { body } = await client.request({ method: 'POST', path: '/_msearch', body: content, timeoutMs, signal })
      const { responses } = body as { responses: EngineReply[] }
      const failed = responses.find(({ error, _shards: shards }) => error !== undefined || (shards?.failed ?? 0) > 0)
      if (failed === undefined) return responses
      const { failure, isTemporary } = engineFailure(failed)
      if (!isTemporary || attempt === maxAttempts) throw failure
      // A copy of the shard on another node answers, once the cluster has noticed that a node is gone.
      await sleep(retryMs, undefined, { signal })
    }
  }

  return {
    scratch: new ScratchBuffers(),
    async open(ctx, base, part) {
      const key = `${ctx.organizationId} ${base.id} ${part.model.name} ${part.parts.join(' ')} ${base.fingerprint}`
      const known = collections.get(key)
      collections.delete(key)
      const model = part.model.name
      const read = async () => ({
        collection: await readCollection(ctx, base, {
          model,
          isFirst: part.parts[0] === model,
          otherParts: part.parts.filter((other) => other !== model),
        }),
        frequencies: new Map<string, number>(),
      })
      const found = known ?? (await read())
      // While the engine lags, its frequencies are of other chunks.
      if (base.lag === 'none' && found.collection.fingerprint === base.fingerprint) collections.set(key, found)
      for (const oldest of collections.keys()) {
        if (collections.size <= maxCollections) break
        collections.delete(oldest)
      }
      return { base, part, ...found }
    },
    async loadFrequencies(ctx, part, terms, signal) {
      const missing = new Map(terms.map((each) => [frequencyKey(each), each] as const).filter(([key]) => !part.frequencies.has(key)))
      if (missing.size === 0) return
      const entries = [...missing]
      const filters = Object.fromEntries(entries.map(([, each], at) => [at, containsAny(each)]))
      const body = {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter: ofPart(ctx, part) } },
        aggs: { terms: { filters: { filters } } },
      }
      const [reply] = await search(ctx, part, [[allIndices(settings), body]], signal)
      const buckets = reply?.aggregations?.terms.buckets ?? {}
      for (const [at, [key]] of entries.entries()) part.frequencies.set(key, buckets[at]?.doc_count ?? 0)
    },
    withoutChunks: ({ collection, frequencies }) => new CandidateIndex(collection, frequencies),
    async find(ctx, part, all, query) {
      const { base, collection, frequencies } = part
      const size = Math.max(query.perSourceLimit === null ? candidateCount : limitedCount, 2 * query.topK)
      const words = wordQuery(all, query)
      const selections = base.selected === null ? [[]] : [[], [inGenerations(base.selected)]]
      const searches = selections.flatMap((selection) => {
        const filter = [...ofPart(ctx, part), ...selection]
        const fields = { size, _source: false, stored_fields: ['chunk'], track_total_hits: false }
        const byWords =
          words.length === 0
            ? []
            : [[allIndices(settings), { ...fields, query: { bool: { filter, should: words, minimum_should_match: 1 } } }] as const]
        const byVectors =
          query.vector === null
            ? []
            : [
                [
                  indexOf(settings, query.vector.length),
                  {
                    ...fields,
                    query: {
                      knn: {
                        vector: {
                          vector: Array.from(query.vector),
                          k: size,
                          filter: { bool: { filter: [...filter, { term: { model: part.part.model.name } }] } },
                        },
                      },
                    },
                  },
                ] as const,
              ]
        return [...byWords, ...byVectors]
      })
      const found = new Map<string, EngineHit>()
      if (searches.length > 0)
        for (const { hits } of await search(ctx, part, searches, query.signal)) for (const hit of hits?.hits ?? []) found.set(hit._id, hit)
      const candidates = [...found.values()].flatMap((hit) => candidateOf(hit) ?? [])
      const vectors = await readVectorsOfSearched(ctx, part.part.id, candidates)
      const index = new CandidateIndex(collection, frequencies)
      const own = candidates.filter((candidate) => vectors.has(placeKey(candidate)))
      const languages = [...new Set(own.map(({ chunk }) => languageOf(chunk.language)))]
      const competences = await part.part.model.competences(languages)
      fill(index, { part, candidates: own, vectors, competences, terms: query.terms })
      return index
    },
  }
}

interface EngineHit {
  readonly _id: string
  readonly fields?: { readonly chunk?: readonly string[] }
}

interface EngineReply {
  readonly error?: unknown
  readonly status?: number
  readonly _shards?: { readonly failed: number }
  readonly hits?: { readonly hits: readonly EngineHit[] }
  readonly aggregations?: { readonly terms: { readonly buckets: Readonly<Record<string, { readonly doc_count: number }>> } }
}

/** A candidate of the search engine. */
interface Candidate extends Place {
  readonly chunk: PackedChunk
}

/** Returns the candidate; undefined for a document that the program has not written. */
function candidateOf({ _id, fields }: EngineHit): Candidate | undefined {
  const [, generation, ordinal] = /^(\d{1,15}):(\d{1,9})$/.exec(_id) ?? []
  const [packed] = fields?.chunk ?? []
  if (generation === undefined || packed === undefined) return undefined
  try {
    return { generation: Number(generation), ordinal: Number(ordinal), chunk: unpackChunk(packed) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Returns the filter of the chunks of a part. */
function ofPart(ctx: KnowledgeContext, { part }: EnginePart): object[] {
  const model = part.model.name
  const others = part.parts.filter((other) => other !== model)
  const ofModel =
    part.parts[0] === model ? (others.length === 0 ? [] : [{ bool: { must_not: { terms: { model: others } } } }]) : [{ term: { model } }]
  return [{ term: { organization: ctx.organizationId } }, { term: { base: part.id } }, ...ofModel]
}

function inGenerations(generations: readonly number[]): object {
  const lists = Array.from({ length: Math.max(1, Math.ceil(generations.length / maxListed)) }, (_, at) => ({
    terms: { generation: generations.slice(at * maxListed, (at + 1) * maxListed) },
  }))
  return lists.length === 1 ? (lists[0] ?? {}) : { bool: { should: lists, minimum_should_match: 1 } }
}

const feature = ({ language, term }: Term): string => `words.${featureOf(language, term)}`

/** Returns the filter of the chunks that contain any of the terms. */
const containsAny = (terms: readonly Term[]): object => ({
  bool: { should: terms.map((term) => ({ rank_feature: { field: feature(term), linear: {} } })), minimum_should_match: 1 },
})

/** Returns clauses whose sum is about the BM25 score. */
function wordQuery(all: readonly EnginePart[], { terms, termWeights }: CandidateQuery): object[] {
  const counted = all.map(({ collection, frequencies }) => ({
    index: new CandidateIndex(collection, frequencies),
    postings: terms.map((term) => ({ ranges: [], count: frequencies.get(frequencyKey(term.anyOf ?? [term])) ?? 0 })),
  }))
  const { groupWeights } = statisticsOf(counted, { terms, termWeights })
  const weighted = terms.flatMap(({ group, language, anyOf, ...term }) =>
    (anyOf ?? [{ term: term.term, language }]).map((each) => ({
      field: feature(each),
      boost: bm25Parameters(language).scale * (groupWeights[group] ?? 0),
    })),
  )
  return weighted
    .filter(({ boost }) => boost > 0)
    .toSorted((one, other) => other.boost - one.boost)
    .slice(0, maxTerms)
    .map(({ field, boost }) => ({ rank_feature: { field, boost: Math.min(boost, 64), saturation: { pivot: 1 } } }))
}

interface Filling {
  readonly part: EnginePart
  readonly candidates: readonly Candidate[]
  /** By `placeKey`. */
  readonly vectors: ReadonlyMap<string, Float32Array>
  /** Competence of the model by language. */
  readonly competences: Readonly<Record<string, number>>
  readonly terms: readonly QueryTerm[]
}

/** Adds the candidates to the index, with their vectors and the frequencies of the terms of the query. */
function fill(index: CandidateIndex, { part, candidates, vectors, competences, terms }: Filling): void {
  const ordered = candidates.toSorted((one, other) => one.generation - other.generation || one.ordinal - other.ordinal)
  const added = Array.from(
    groupBy(ordered, ({ generation }) => generation),
    ([generation, chunks]) => {
      const hasVectors = chunks[0]?.chunk.model === part.part.model.name
      const range = index.number({
        generation,
        hasVectors,
        languages: [...new Set(chunks.map(({ chunk }) => chunk.language))],
        competences: chunks.map(({ chunk }) => ({ competence: competences[languageOf(chunk.language)] ?? 0, chunks: 1 })),
        ordinals: Int32Array.from(chunks, ({ ordinal }) => ordinal),
        lengths: Int32Array.from(chunks, ({ chunk }) => chunk.length),
      })
      for (const chunk of hasVectors ? chunks : []) {
        const vector = vectors.get(placeKey(chunk))
        if (vector !== undefined) index.setVector(range, chunk.ordinal, vector)
      }
      return range
    },
  )
  index.apply({ fingerprint: part.collection.fingerprint, added, postings: [], removed: [] })
  index.languages = part.collection.languages
  const needed = new Map(terms.flatMap(({ anyOf, ...term }) => anyOf ?? [term]).map((term) => [frequencyKey([term]), term]))
  index.addTerms([...needed.values()], postingsOf(ordered, [...needed.values()]))
}

/** Returns the postings of the terms in the candidates. */
function postingsOf(ordered: readonly Candidate[], terms: readonly Term[]): StoredPostings[] {
  const hashes = new Map<number, number[]>()
  for (const [at, { language, term }] of terms.entries()) {
    const hash = termHash(language, term)
    hashes.set(hash, [...(hashes.get(hash) ?? []), at])
  }
  const entries = terms.map(() => ({ parts: new Map<number, number>(), ordinals: [] as number[], frequencies: [] as number[] }))
  for (const { generation, ordinal, chunk } of ordered) {
    for (const [entry, hash] of chunk.hashes.entries()) {
      for (const at of hashes.get(hash) ?? []) {
        if (terms[at]?.language !== chunk.language) continue
        const list = entries[at]
        list?.parts.set(generation, (list.parts.get(generation) ?? 0) + 1)
        list?.ordinals.push(ordinal)
        list?.frequencies.push(chunk.frequencies[entry] ?? 0)
      }
    }
  }
  return entries.flatMap(({ parts, ordinals, frequencies }, at) => {
    const term = terms[at]
    if (term === undefined) return []
    return [
      {
        term: term.term,
        language: term.language,
        parts: Array.from(parts, ([generation, count]) => ({ generation, count })),
        ordinals: Int32Array.from(ordinals),
        frequencies: Int32Array.from(frequencies),
      },
    ]
  })
}
