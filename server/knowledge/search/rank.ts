import type { QueryTerm } from './analyze.ts'
import type { BaseIndex } from './base-index.ts'
import { BestOf } from './best-of.ts'
import { sharesOf, statisticsOf, writeBm25, type Statistics, type WordShare } from './bm25.ts'
import { likelyChunks, type MatchParts } from './likely-chunks.ts'
import { compare, comparedIn, everything, runsOf, type Chosen, type Run, type SearchedBase } from './runs.ts'

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

interface Place {
  readonly index: BaseIndex
  readonly chunk: number
}

interface Candidate extends Place {
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
  const matchOf: MatchOf = ({ offset, vectors }, chunk) =>
    (vectors === null ? 0 : parts.ofCosine(cosines[offset + chunk] ?? 0)) +
    parts.ofBm25.share * lexicalScore(bm25[offset + chunk] ?? 0, scale)
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
  const chosen = comparedIn(runs) > exactUpTo ? (likely?.(runs, likeliest) ?? everything) : everything
  const chosenOfLooked = looked === runs ? chosen : (likely?.(looked, likeliest) ?? everything)
  const noteCosine = (at: number, cosine: number): void => void (cosines[at] = cosine)
  compare(looked, chosenOfLooked, queryVector, noteCosine)
  if (looked !== runs && likely !== undefined) compare(runs, chosen, queryVector, noteCosine)
  const leaders = agreeing ? leadersOf(all, chosenOfLooked, bm25, matchOf) : []
  const scores = scoresOf(scale, leaders)
  const offered = perSourceLimit === null ? finalistsOf(runs, chosen, bm25, { matchOf, scores, topK, threshold }) : chosen
  for (const [place, { vector, match, from, to }] of leaders.entries()) {
    const share = match / leaders.length
    compare(runs, offered, vector, (at, cosine) => {
      // Of its own source it would draw in what stands beside it: there it counts how near the chunk is to the query.
      const near = at >= from && at < to ? (cosines[at] ?? 0) : cosine
      agreements[at] = (place === 0 ? 0 : (agreements[at] ?? 0)) + share * Math.max(near, 0)
    })
  }
  const best = new BestOf<Candidate>(topK, precedes)
  for (const [place, run] of runs.entries()) {
    const { index, offset, vectors } = run
    const into = perSourceLimit === null ? best : new BestOf<Candidate>(Math.min(perSourceLimit, topK), precedes)
    scan(run, offered[place], bm25, (chunk) => {
      const at = offset + chunk
      const agreement = scores.agrees(run) ? (agreements[at] ?? 0) : null
      const score = scores.of(matchOf(run, chunk), agreement)
      if (score < threshold || score < into.least) return
      into.offer({ index, chunk, score, bm25: bm25[at] ?? 0, cosine: vectors === null ? null : (cosines[at] ?? 0), agreement })
    })
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

/** Calls back with the chosen chunks of a run that can be found: what has no vector only by a word. */
function scan(
  { offset, from, to, vectors }: Run,
  chosen: ArrayLike<number> | undefined,
  bm25: Float32Array,
  use: (chunk: number) => void,
): void {
  if (chosen !== undefined) for (let each = 0; each < chosen.length; each++) use(chosen[each] ?? 0)
  else for (let chunk = from; chunk < to; chunk++) if (vectors !== null || (bm25[offset + chunk] ?? 0) > 0) use(chunk)
}

type MatchOf = (run: Run, chunk: number) => number

interface Scores {
  /** @param agreement null for what has none */
  of(match: number, agreement: number | null): number
  /** Whether agreement counts for the chunks of a run. */
  agrees(run: Run): boolean
  /** As much as it can bring. */
  readonly mostOfAgreement: number
}

function scoresOf({ agreementWeight: weight }: Scale, leaders: readonly Leader[]): Scores {
  const most = leaders.reduce((sum, { match }) => sum + match, 0) / Math.max(leaders.length, 1)
  return {
    of: (match, agreement) => (agreement === null ? match : (match + weight * agreement) / (1 + weight)),
    agrees: ({ vectors }) => vectors !== null && leaders.length > 0,
    // Cosines are right to about 2e-5.
    mostOfAgreement: (weight * (most + 1e-4)) / (1 + weight),
  }
}

/** Those of the chosen chunks that can be among the `topK`, however much they agree with the leaders. */
function finalistsOf(
  runs: readonly Run[],
  chosen: Chosen,
  bm25: Float32Array,
  { matchOf, scores, topK, threshold }: { matchOf: MatchOf; scores: Scores; topK: number; threshold: number },
): Chosen {
  const leastOf = (run: Run, chunk: number): number => scores.of(matchOf(run, chunk), scores.agrees(run) ? 0 : null)
  const best = new BestOf<{ score: number }>(topK, () => false)
  for (const [place, run] of runs.entries())
    scan(run, chosen[place], bm25, (chunk) => {
      const score = leastOf(run, chunk)
      if (score > best.least) best.offer({ score })
    })
  return runs.map((run, place) => {
    const needed = Math.max(best.least, threshold) - (scores.agrees(run) ? scores.mostOfAgreement : 0)
    const finalists: number[] = []
    scan(run, chosen[place], bm25, (chunk) => {
      if (leastOf(run, chunk) >= needed) finalists.push(chunk)
    })
    return finalists
  })
}

function matchParts({ weights, halfLexical }: Scale, unrelatedCosine: number): MatchParts {
  const whole = weights.vector + weights.lexical
  const [vectorShare, lexicalShare] = [weights.vector / whole, weights.lexical / whole]
  return {
    ofCosine: (cosine) => vectorShare * vectorScore(cosine, unrelatedCosine),
    ofBm25: { share: lexicalShare, half: halfLexical },
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

function precedes(one: Place, other: Place): boolean {
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
function leadersOf(runs: readonly Run[], chosen: Chosen, bm25: Float32Array, matchOf: MatchOf): Leader[] {
  const best = new BestOf<Place & { readonly score: number; readonly run: Run }>(leaderCount, precedes)
  for (const [place, run] of runs.entries()) {
    if (run.vectors === null) continue
    scan(run, chosen[place], bm25, (chunk) => {
      const score = matchOf(run, chunk)
      if (score >= best.least) best.offer({ index: run.index, chunk, score, run })
    })
  }
  return best.sorted().flatMap(({ index, chunk, score, run: { offset, vectors } }) => {
    const { from, to } = index.rangeAt(chunk)
    return vectors === null ? [] : [{ vector: vectors.get(chunk), match: score, from: offset + from, to: offset + to }]
  })
}

const rooms = (size: number) => ({
  bm25: new Float32Array(size),
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
