import type { QueryTerm } from './analyze.ts'
import type { BaseIndex } from './base-index.ts'
import { BestOf } from './best-of.ts'
import { sharesOf, statisticsOf, writeBm25, type Statistics, type WordShare } from './bm25.ts'
import { likelyChunks, type MatchParts } from './likely-chunks.ts'
import { compare, comparedIn, runsOf, type Run, type SearchedBase } from './runs.ts'

export interface RankedQuery {
  readonly terms: readonly QueryTerm[]
  /** What each group of terms weighs. */
  readonly termWeights: readonly number[]
  /** Of unit length; null where there is none, and words alone decide. */
  readonly queryVector: Float32Array | null
  /** Whether words count. */
  readonly lexical: boolean
  readonly topK: number
  readonly threshold: number
  readonly perSourceLimit: number | null
  /** Cosine of texts that have nothing in common. */
  readonly unrelatedCosine: number
  /** Whether to tell what each word brings. */
  readonly explain: boolean
}

export interface RankedChunk {
  readonly generation: number
  readonly ordinal: number
  readonly score: number
  /** 0 to 1, and the cosine that it was made of; null where there was nothing to compare. */
  readonly vector: number | null
  readonly cosine: number | null
  readonly lexical: number
  /** With the best matches, 0 to 1; null where there is nothing to compare, or one side alone was asked. */
  readonly agreement: number | null
  /** Only where it was asked for. */
  readonly words: readonly WordShare[] | null
}

/** What either side weighs in a match of both. */
const bothWeights = { vector: 1, lexical: 2.5 }
/**
 * What agreement weighs beside a match of 1. nDCG@10 on Cranfield .417, .430, .433 for 0, .3 and .4, SciFact .734, –, .736, and
 * elsewhere the same within .01 or a little less; recall of the open chunking evaluation 93.5, 93.6, 93.6. Without the
 * exception for a leader's own source the latter fell to 92.
 */
const agreementWeight = 0.4
/** So many of the best matches are agreed with. */
const leaderCount = 2
/** Chunks up to which every cosine is computed. Of more, those of the likeliest are, by how many signs differ. */
const exactUpTo = 20_000
const likeliest = 2_000

interface Candidate {
  readonly index: BaseIndex
  readonly chunk: number
  readonly score: number
  readonly bm25: number
  readonly cosine: number | null
  readonly agreement: number | null
}

/** How the parts make a score. */
export interface Scale {
  readonly weights: { readonly vector: number; readonly lexical: number }
  /** BM25 at which the lexical score is one half. */
  readonly halfLexical: number
  /** What agreement weighs beside a match of 1. */
  readonly agreementWeight: number
}

export interface Ranking {
  readonly chunks: readonly RankedChunk[]
  readonly scale: Scale
}

/**
 * The chunks with the highest scores, best first. Equal ones are ordered by generation, then by place in the document, so a
 * larger topK only makes the list longer.
 */
export function rank(bases: readonly SearchedBase[], query: RankedQuery): Ranking {
  const { queryVector, perSourceLimit, threshold, topK, unrelatedCosine } = query
  const { bm25, cosines, agreements } = roomFor(bases)
  const wholly = perSourceLimit === null && bases.every(({ wanted }) => wanted === null)
  const statistics = statisticsOf(bases, query)
  const scale = scaleOf(query, statistics)
  writeBm25(bm25, bases, query.terms, statistics)
  const parts = matchParts(scale, unrelatedCosine)
  const matchOf = (at: number, cosine: number | null): number =>
    (cosine === null ? 0 : parts.ofCosine(cosine)) + parts.ofBm25(bm25[at] ?? 0)
  // What is left out of a search changes no score: the leaders are those of the whole bases.
  const all = runsOf(
    bases.map(({ index }) => ({ index, wanted: null })),
    queryVector,
    false,
  )
  const agreeing = scale.agreementWeight > 0
  const runs = wholly ? all : runsOf(bases, queryVector, perSourceLimit !== null)
  const looked = agreeing ? all : runs
  const likely = queryVector !== null && comparedIn(looked) > exactUpTo ? likelyChunks(looked, { queryVector, bm25, parts }) : undefined
  const chosen = comparedIn(runs) > exactUpTo ? likely?.(runs, likeliest) : undefined
  const leaders = agreeing ? leadersOf(all, wholly ? chosen : likely?.(all, likeliest), queryVector, matchOf) : []
  compare(runs, chosen, queryVector, (at, cosine) => (cosines[at] = cosine))
  for (const [place, { vector, match, from, to }] of leaders.entries()) {
    const share = match / leaders.length
    compare(runs, chosen, vector, (at, cosine) => {
      // Of its own source it would draw in what stands beside it: there it counts how near the chunk is to the query.
      const near = at >= from && at < to ? (cosines[at] ?? 0) : cosine
      agreements[at] = (place === 0 ? 0 : (agreements[at] ?? 0)) + share * Math.max(near, 0)
    })
  }
  const best = new BestOf<Candidate>(topK, precedes)
  for (const [place, run] of runs.entries()) {
    const { index, offset, from, to, vectors } = run
    const into = perSourceLimit === null ? best : new BestOf<Candidate>(Math.min(perSourceLimit, topK), precedes)
    const consider = (chunk: number): void => {
      const at = offset + chunk
      const cosine = vectors === null ? null : (cosines[at] ?? 0)
      const agreement = vectors === null || leaders.length === 0 ? null : (agreements[at] ?? 0)
      const match = matchOf(at, cosine)
      const score = agreement === null ? match : (match + scale.agreementWeight * agreement) / (1 + scale.agreementWeight)
      if (score >= threshold && score >= into.least) into.offer({ index, chunk, score, bm25: bm25[at] ?? 0, cosine, agreement })
    }
    const some = chosen?.[place]
    if (some !== undefined && vectors !== null) some.forEach(consider)
    else for (let chunk = from; chunk < to; chunk++) if (vectors !== null || (bm25[offset + chunk] ?? 0) > 0) consider(chunk)
    if (into !== best) for (const each of into.sorted()) best.offer(each)
  }
  const chunks = best.sorted().map(({ index, chunk, score, bm25: ofWords, cosine, agreement }) => ({
    generation: index.rangeAt(chunk).generation,
    ordinal: index.ordinals[chunk] ?? 0,
    score,
    vector: cosine === null ? null : vectorScore(cosine, unrelatedCosine),
    cosine,
    lexical: lexicalScore(ofWords, scale),
    agreement,
    words: query.explain ? sharesOf(index, chunk, query.terms, statistics) : null,
  }))
  return { chunks, scale }
}

function matchParts({ weights, halfLexical }: Scale, unrelatedCosine: number): MatchParts {
  const whole = weights.vector + weights.lexical
  const [vectorShare, lexicalShare] = [weights.vector / whole, weights.lexical / whole]
  return {
    ofCosine: (cosine) => vectorShare * vectorScore(cosine, unrelatedCosine),
    ofBm25: (bm25) => (lexicalShare * bm25) / (bm25 + halfLexical),
  }
}

const vectorScore = (cosine: number, unrelated: number): number => Math.min(Math.max((cosine - unrelated) / (1 - unrelated), 0), 1)
const lexicalScore = (bm25: number, { halfLexical }: Scale): number => bm25 / (bm25 + halfLexical)

function scaleOf({ queryVector, lexical }: RankedQuery, { chunks }: Statistics): Scale {
  return {
    weights: { vector: queryVector === null ? 0 : bothWeights.vector, lexical: lexical ? bothWeights.lexical : 0 },
    halfLexical: halfLexicalOf(chunks),
    agreementWeight: queryVector !== null && lexical ? agreementWeight : 0,
  }
}

/**
 * About three words that one of the chunks has, each found once. In a small base no word can be as rare as in a large one, and
 * the same match has to score as much; beyond a thousand chunks it does not matter any more.
 */
function halfLexicalOf(chunks: number): number {
  return 20 * Math.min(1, Math.log(2 + chunks) / Math.log(1000))
}

function precedes(one: Candidate, other: Candidate): boolean {
  const [ofOne, ofOther] = [one.index.rangeAt(one.chunk).generation, other.index.rangeAt(other.chunk).generation]
  if (ofOne !== ofOther) return ofOne < ofOther
  return (one.index.ordinals[one.chunk] ?? 0) < (other.index.ordinals[other.chunk] ?? 0)
}

interface Leader {
  readonly vector: Float32Array
  readonly match: number
  /** Where its source has its chunks, among those of all bases. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The best matches. */
function leadersOf(
  runs: readonly Run[],
  chosen: readonly number[][] | undefined,
  queryVector: Float32Array | null,
  matchOf: (at: number, cosine: number) => number,
): Leader[] {
  const best = new BestOf<Candidate & { readonly offset: number }>(leaderCount, precedes)
  compare(runs, chosen, queryVector, (at, cosine) => {
    const score = matchOf(at, cosine)
    if (score < best.least) return
    const run = runs.findLast(({ offset }) => offset <= at)
    if (run === undefined) return
    const { index, offset } = run
    best.offer({ index, offset, chunk: at - offset, score, bm25: 0, cosine, agreement: null })
  })
  return best.sorted().flatMap(({ index, offset, chunk, score }) => {
    const { from, to } = index.rangeAt(chunk)
    return index.vectors === null ? [] : [{ vector: index.vectors.get(chunk), match: score, from: offset + from, to: offset + to }]
  })
}

const rooms = (size: number) => ({
  bm25: new Float64Array(size),
  cosines: new Float32Array(size),
  agreements: new Float32Array(size),
})
let room = rooms(0)

/** Room for a number a chunk of the bases, one base behind the other. Used again by the next search. */
function roomFor(bases: readonly { readonly index: BaseIndex }[]): typeof room {
  const size = bases.reduce((total, { index }) => total + index.size, 0)
  if (room.bm25.length < size) room = rooms(Math.ceil(size * 1.25))
  return room
}
