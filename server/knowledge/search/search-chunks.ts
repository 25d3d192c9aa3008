import type { SearchFilter } from '@groundwork/api'
import { sql } from 'kysely'
import type { Transaction } from '../../db/schema.ts'
import { float4Array } from './binary.ts'
import { explained, type Explanation, type WordRow } from './explain.ts'
import { matches } from './filter.ts'
import { neighboursOf, toNeighbours, type NeighbourRow, type Neighbours } from './neighbours.ts'
import { passageColumns, toPassage, type Passage, type PassageRow } from './passage.ts'
import { weightedTerms } from './query-terms.ts'

export interface ChunkQuery {
  readonly baseIds: readonly string[]
  /** Of unit length, or null where there is no embedder to ask: then words alone decide. */
  readonly queryVector: Float32Array | null
  /** The model that made it: vectors of another one say nothing beside it, so sources that have them are found by words alone. */
  readonly embeddingModel: string
  readonly queryText: string
  /** Earlier questions that this one leans on: their words count for less. */
  readonly earlierText?: string
  readonly topK: number
  /** 0 to 1: the least `score` of a hit. */
  readonly similarityThreshold: number
  /** Whether words count beside vectors. */
  readonly hybridSearch: boolean
  /** Only these sources; term statistics stay those of the whole bases. */
  readonly sourceIds?: readonly string[]
  /** Only sources whose metadata is so; term statistics stay those of the whole bases. */
  readonly filter?: SearchFilter
  /** At most so many hits of one source. */
  readonly perSourceLimit?: number
  /** Chunks before and after each hit to give with it; they are no hits. */
  readonly neighbours?: number
  /** Whether to tell how each score came about. */
  readonly explain?: boolean
  /** Cosine of texts that have nothing in common under the embedding model, counted as 0. 0 by default: MiniLM has a mean of .03 over SQuAD. */
  readonly unrelatedCosine?: number
}

export interface Hit extends Passage {
  /** 0 to 1, see `searchChunks`. */
  score: number
  /** What the score is made of, each 0 to 1; null for a side that was not asked or could not be compared. */
  scores: { vector: number | null; lexical: number | null }
  /** Only where they were asked for. */
  neighbours?: Neighbours
  /** Only where it was asked for. */
  explanation?: Explanation
}

/** Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); the customary values. */
const k1 = 1.2
const b = 0.75
/** BM25 at which the lexical score is one half: five words that one of 5,000 chunks has, each found once. */
const halfLexical = 20
/** What the lexical score weighs, where the vector score weighs 1. */
const lexicalWeight = 2.5

/**
 * The chunks of the bases' enabled sources that answer a query best, best first.
 *
 * `score` is one scale, 0 to 1, that depends on query and chunk and never on the other hits: the mean of
 * - vector: cosine above `unrelatedCosine`, stretched to 0..1, weight 1
 * - lexical: s / (s + 20) of the BM25 score s, weight 2.5
 * or the one of them that was asked. Both are exact for every chunk, so a larger topK only makes the list longer.
 * Equal scores are ordered by age of the index, then by position in the document.
 */
export async function searchChunks(trx: Transaction, query: ChunkQuery): Promise<Hit[]> {
  const {
    queryVector,
    topK,
    similarityThreshold,
    sourceIds = null,
    perSourceLimit = null,
    unrelatedCosine = 0,
    neighbours = 0,
    explain = false,
  } = query
  const narrowed = sourceIds !== null || query.filter !== undefined
  const lexicalAsked = query.hybridSearch || queryVector === null
  const { terms, weights: termWeights } = lexicalAsked
    ? weightedTerms(query.queryText, query.earlierText ?? '')
    : { terms: [], weights: [1] }
  const weights = { vector: queryVector === null ? 0 : 1, lexical: lexicalAsked ? lexicalWeight : 0 }
  // The planner knows nothing of the sizes of the steps and must not need to. No join between two of them can become a
  // nested loop: a full join is hashed or merged, an IN under IS TRUE stays a hashed lookup, the rest are initial plans.
  // OFFSET 0 keeps the distance from being computed again wherever it is named, and makes the postings of each term one
  // look into their index: on tables without statistics the planner would read those of all terms instead.
  const { rows } = await sql<HitRow>`
    with live as materialized (
      select g.generation, g.language, g.chunks, g.terms, (${sourceIds}::uuid[] is null or s.id = any(${sourceIds}::uuid[]))${query.filter === undefined ? sql`` : sql` and ${matches(query.filter)}`} as wanted,
        s.embedding_model = ${query.embeddingModel} as comparable
      from source s
      join index_generation g on g.organization_id = s.organization_id and g.generation = s.live_generation
      where s.organization_id = (select app_organization()) and s.base_id = any(${query.baseIds}::uuid[]) and s.enabled
    ), found as materialized (
      select q.word, p.generation, p.entries
      from unnest(${terms.map(({ group }) => group)}::integer[], ${terms.map(({ term }) => term)}::text[],
        ${terms.map(({ language }) => language)}::text[]) as q (word, term, language)
      cross join lateral (
        select generation, entries, language from posting
        where organization_id = (select app_organization()) and base_id = any(${query.baseIds}::uuid[]) and term = q.term collate "C"
        offset 0
      ) as p
      where q.language = any(array(select distinct language from live)) and p.language = q.language
        and (p.generation in (select generation from live)) is true
    ), statistics as materialized (
      select chunks, terms / greatest(chunks, 1) as mean_length,
        array(
          select (${termWeights}::float8[])[w.word + 1] * ln(1 + (chunks - coalesce(f.frequency, 0) + 0.5) / (coalesce(f.frequency, 0) + 0.5))
          from generate_series(0, ${terms.at(-1)?.group ?? 0}::integer) as w (word)
          left join (select word, sum(cardinality(entries))::float8 as frequency from found group by word) f using (word)
          order by word
        ) as weights
      from (select coalesce(sum(chunks), 0)::float8 as chunks, coalesce(sum(terms), 0)::float8 as terms from live) as total
    ), lexical as (
      select f.generation, (e.entry >> 32)::integer as ordinal,
        sum(${shareOfWord}) as bm25
      from found f cross join lateral unnest(f.entries) as e (entry)
      where ${!narrowed ? sql`true` : sql`(f.generation in (select generation from live where wanted)) is true`}
      group by 1, 2
    ), dense as (
      select generation, ordinal, -(embedding <#> ${queryVector === null ? null : float4Array([queryVector])}::float4[]::vector) as cosine
      from chunk_embedding
      where ${queryVector !== null} and organization_id = (select app_organization()) and base_id = any(${query.baseIds}::uuid[])
        and (generation in (select generation from live where wanted and comparable)) is true
      offset 0
    ), measured as (
      select generation, ordinal, cosine is not null as compared,
        least(greatest((coalesce(cosine, 0) - ${unrelatedCosine}::float8) / (1 - ${unrelatedCosine}::float8), 0), 1) as vector,
        coalesce(bm25, 0) / (coalesce(bm25, 0) + ${halfLexical}::float8) as lexical${explain ? sql`, cosine` : sql``}
      from dense full join lexical using (generation, ordinal)
      offset 0
    ), scored as (
      select *, (${weights.vector}::float8 * vector + ${weights.lexical}::float8 * lexical) / ${weights.vector + weights.lexical}::float8 as score
      from measured
    ), best as materialized (
      select * from ${perSourceLimit === null ? sql`scored` : ofEachSource(perSourceLimit)}
      where score >= ${similarityThreshold}::float8
      order by score desc, generation, ordinal
      limit ${topK}::integer
    )${explain ? wordsOfTheBest : sql``}
    select ${passageColumns}, t.score, t.vector, t.lexical, t.compared${neighbours === 0 ? sql`` : sql`, ${neighboursOf(neighbours)} as neighbours`}${explain ? sql`, t.cosine, w.words` : sql``}
    from best t
    ${explain ? sql`left join words w on w.generation = t.generation and w.ordinal = t.ordinal` : sql``}
    join chunk c on c.organization_id = (select app_organization()) and c.generation = t.generation and c.ordinal = t.ordinal
    join source s on s.organization_id = c.organization_id and s.id = c.source_id
    left join source_page p on p.organization_id = c.organization_id and p.id = c.page_id
    order by t.score desc, t.generation, t.ordinal`.execute(trx)
  return rows.map(({ score, vector, lexical, compared, neighbours: beside, cosine = null, words = null, ...row }) => {
    const passage = toPassage(row)
    return {
      ...passage,
      score,
      scores: { vector: compared ? vector : null, lexical: lexicalAsked ? lexical : null },
      ...(explain && {
        explanation: explained({ score, vector, lexical, cosine, words }, { terms, weights, halfLexical }),
      }),
      ...(beside !== undefined && { neighbours: toNeighbours(beside, passage.citation.title) }),
    }
  })
}

/** What word `f` brings to the BM25 of the chunk of its entry `e`. */
const shareOfWord = sql`(select weights from statistics)[f.word + 1] * (e.entry & 4095) / ((e.entry & 4095) + ${k1}::float8 * (1 - ${b}::float8 + ${b}::float8 * (e.entry >> 12 & 1048575) / (select mean_length from statistics)))`

/** The same for every hit, word by word. */
const wordsOfTheBest = sql`, words as (
      select f.generation, (e.entry >> 32)::integer as ordinal,
        json_agg(json_build_object('word', f.word, 'weight', (select weights from statistics)[f.word + 1], 'bm25', ${shareOfWord})) as words
      from found f cross join lateral unnest(f.entries) as e (entry)
      where (f.generation in (select generation from best)) is true
      group by 1, 2
    )`

/** One generation of a source is live, so its rank within the generation is a chunk's rank within the source. */
const ofEachSource = (limit: number) => sql`(
  select ranked.* from (
    select scored.*, row_number() over (partition by generation order by score desc, ordinal) as place from scored
  ) as ranked
  where place <= ${limit}::integer
) as capped`

type HitRow = PassageRow & {
  readonly score: number
  readonly vector: number
  readonly lexical: number
  readonly compared: boolean
  readonly neighbours?: NeighbourRow[]
  readonly cosine?: number | null
  readonly words?: WordRow[] | null
}
