import { sql } from 'kysely'
import { selectSql, type Context } from '../../context.ts'
import { readBeginning, withBeginning } from './beginnings.ts'
import { explained, type Explanation } from './explain.ts'
import { isSearched, readBases, type LiveBase, type Narrowing } from './live.ts'
import { neighboursOf, toNeighbours, type NeighbourRow, type Neighbours } from './neighbours.ts'
import { passageColumns, toPassage, type Passage, type PassageRow } from './passage.ts'
import { weightedTerms } from './query-terms.ts'
import { rank, type RankedChunk } from './rank.ts'

export interface ChunkQuery extends Narrowing {
  readonly baseIds: readonly string[]
  /** The same as `readBases` has just given them; read where they are not given. */
  readonly bases?: readonly LiveBase[]
  /** Called as the passages are read: what it asks of the database goes there with them. */
  readonly beside?: (() => void) | undefined
  /** Of unit length, or null where there is no embedder to ask: then words alone decide. */
  readonly queryVector: Float32Array | null
  readonly queryText: string
  /** Whether its last word may be unfinished. */
  readonly partial?: boolean | undefined
  /** Earlier questions that this one leans on: their words count for less. */
  readonly earlierText?: string | undefined
  readonly topK: number
  /** 0 to 1: the least `score` of a hit. */
  readonly similarityThreshold: number
  /** Whether words count beside vectors. */
  readonly hybridSearch: boolean
  /** At most so many hits of one source. */
  readonly perSourceLimit?: number | undefined
  /** Chunks before and after each hit to give with it; they are no hits. */
  readonly neighbours?: number | undefined
  /** Whether to tell how each score came about. */
  readonly explain?: boolean | undefined
  /** Once it is aborted nothing more is begun. */
  readonly signal?: AbortSignal | undefined
  /** Cosine of texts that have nothing in common under the embedding model, counted as 0. 0 by default: MiniLM has a mean of .03 over SQuAD. */
  readonly unrelatedCosine?: number | undefined
}

export interface Hit extends Passage {
  /** 0 to 1, see `searchChunks`. */
  score: number
  /** What the score is made of, each 0 to 1; null for a side that was not asked or could not be compared. */
  scores: { vector: number | null; lexical: number | null; agreement: number | null }
  /** Only where they were asked for. */
  neighbours?: Neighbours
  /** Only where it was asked for. */
  explanation?: Explanation
}

/**
 * The chunks of the bases' enabled sources that answer a query best, best first.
 *
 * `score` is one scale, 0 to 1: (match + 0.4 × agreement) / 1.4, where match is the mean of
 * - vector: cosine above `unrelatedCosine`, stretched to 0..1, weight 1
 * - lexical: s / (s + 20) of the BM25 score s, weight 2.5
 * and agreement that of the cosines with the two best matches of the bases, each times its match. Where one side alone was
 * asked, or a chunk has nothing to compare, it is what there is. It depends on the query, the chunk and the bases, not on
 * what else is asked: filters change no score, and a larger topK only makes the list longer. Equal scores are ordered by
 * age of the index, then by position in the document.
 *
 * The chunks are compared in memory and read from the database, which has the last word: what was deleted, disabled or
 * replaced in between is no hit.
 */
export async function searchChunks(ctx: Context, query: ChunkQuery): Promise<Hit[]> {
  for (let attempt = 1; ; attempt++) {
    const bases = attempt === 1 && query.bases !== undefined ? query.bases : await readBases(ctx, query.baseIds, query)
    const { hits, complete } = await searchOnce(ctx, query, bases)
    if (complete || attempt === attempts) return hits
  }
}

/** Times that a search is done at most, where sources change under it. */
const attempts = 3

async function searchOnce(ctx: Context, query: ChunkQuery, bases: readonly LiveBase[]): Promise<{ hits: Hit[]; complete: boolean }> {
  const { queryVector, neighbours = 0, explain = false } = query
  const lexical = query.hybridSearch || queryVector === null
  const searched = await Promise.all(bases.map(async (base) => ({ ...base, index: await ctx.indexes.of(ctx, base) })))
  const languages = [...new Set(searched.flatMap(({ index }) => index.languages))]
  const weighted = weightedTerms(lexical ? query.queryText : '', lexical ? (query.earlierText ?? '') : '', languages)
  const beginning = lexical && query.partial === true ? await readBeginning(ctx, query.baseIds, query.queryText, weighted.terms) : null
  const wanted = [...weighted.terms, ...(beginning?.terms ?? [])]
  await Promise.all(searched.map(({ index, ...base }) => ctx.indexes.learn(ctx, base, index, wanted)))
  const stands = beginning?.own.some((term) => searched.some(({ index }) => index.postingsOf(term).count > 0)) ?? false
  const { terms, weights: termWeights } = beginning === null ? weighted : withBeginning(weighted, beginning, stands)
  query.signal?.throwIfAborted()
  const { chunks: ranked, scale } = rank(searched, {
    terms,
    termWeights,
    queryVector,
    lexical,
    topK: query.topK,
    threshold: query.similarityThreshold,
    perSourceLimit: query.perSourceLimit ?? null,
    unrelatedCosine: query.unrelatedCosine ?? 0,
    explain,
  })
  query.beside?.()
  const passages = await readPassages(ctx, ranked, { neighbours, reindexId: query.reindexId })
  const hits = ranked.flatMap(({ generation, ordinal, score, vector, lexical: byWords, agreement, cosine, words }) => {
    const row = passages.get(`${generation} ${ordinal}`)
    if (row === undefined) return []
    const hit: Hit = { ...toPassage(row), score, scores: { vector, lexical: lexical ? byWords : null, agreement } }
    if (words !== null)
      hit.explanation = explained({ score, vector: vector ?? 0, lexical: byWords, agreement, cosine, words }, { terms, scale })
    if (row.neighbours !== null) hit.neighbours = toNeighbours(row.neighbours, row.title)
    return hit
  })
  return { hits, complete: passages.size === ranked.length }
}

type FoundRow = PassageRow & { readonly generation: number; readonly ordinal: number; readonly neighbours: NeighbourRow[] | null }

/** By generation and ordinal, those that are live still. */
async function readPassages(
  ctx: Context,
  ranked: readonly RankedChunk[],
  { neighbours, reindexId }: { neighbours: number; reindexId: string | undefined },
): Promise<Map<string, FoundRow>> {
  if (ranked.length === 0) return new Map()
  const rows = await selectSql(
    ctx,
    sql<FoundRow>`
    select c.generation, c.ordinal, ${passageColumns}, ${neighbours === 0 ? sql`null` : neighboursOf(neighbours)} as neighbours
    from unnest(${ranked.map(({ generation }) => generation)}::bigint[], ${ranked.map(({ ordinal }) => ordinal)}::integer[]) as t (generation, ordinal)
    join chunk c on c.organization_id = (select app_organization()) and c.generation = t.generation and c.ordinal = t.ordinal
    join source s on s.organization_id = c.organization_id and s.id = c.source_id and ${isSearched(reindexId)}
    left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id`,
    { plannedOnce: true },
  )
  return new Map(rows.map((row) => [`${row.generation} ${row.ordinal}`, row]))
}
