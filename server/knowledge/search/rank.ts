import type { QueryTerm } from './analyze.ts'
import { BestOf } from './best-of.ts'
import { sharesOf, statisticsOf, writeBm25, type AskedBase, type Statistics, type WordShare } from './bm25.ts'
import { likelyChunks, vectorScore, type MatchParts } from './likely-chunks.ts'
import type { PackedVectors } from './packed-vectors.ts'
import { chunksOf, compare, comparedIn, wantedRuns, wholeRuns, type ComparedBase, type Run, type SearchedBase } from './runs.ts'
import { termPostings } from './term-postings.ts'

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
const exactUpTo = 4_000
/**
 * As many as find what comparing all would find: the ten nearest of 10,000 chunks of the evaluation sets are among the
 * likeliest 500, 700 and 1,000 to .9996, .9998 and .9998, those of a million among 2,000, 3,000 and 4,000 to .976, .982 and .984.
 */
const likeliestOf = (chunks: number): number => Math.max(1_000, 4 * Math.sqrt(chunks))

interface Place {
  readonly base: ComparedBase
  readonly chunk: number
}

interface Candidate extends Place {
  readonly score: number
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
export function rank(searched: readonly SearchedBase[], query: RankedQuery): Ranking {
  const { perSourceLimit, threshold, topK, unrelatedCosine } = query
  const asked = searched.map((base) => ({ ...base, postings: query.terms.map((term) => termPostings(base.index, term)) }))
  const statistics = statisticsOf(asked, query)
  const scale = scaleOf(query, statistics)
  const bases = withRoom(asked)
  for (const base of bases) writeBm25(base.bm25, base, query.terms, statistics)
  const { runs, leaders } = matched(bases, query, scale)
  const scores = scoresOf(scale, leaders)
  const offered = perSourceLimit === null ? finalistsOf(runs, scores, query) : runs
  for (const [place, { vector }] of leaders.entries()) compare(offered, vector, ({ near }) => near[place])
  const best = new BestOf<Candidate>(topK, precedes)
  for (const run of offered) {
    const { base, vectors } = run
    const into = perSourceLimit === null ? best : new BestOf<Candidate>(Math.min(perSourceLimit, topK), precedes)
    for (const chunk of chunksOf(run)) {
      const agreement = scores.agrees(run) ? agreementOf(base, chunk, leaders) : null
      const score = scores.of(base.matches[chunk] ?? notFound, agreement)
      if (score < threshold || score < into.least) continue
      into.offer({ base, chunk, score, cosine: vectors === null ? null : (base.cosines[chunk] ?? 0), agreement })
    }
    if (into !== best) for (const each of into.sorted()) best.offer(each)
  }
  const chunks = best.sorted().map(({ base, chunk, score, cosine, agreement }) => ({
    generation: base.index.rangeAt(chunk).generation,
    ordinal: base.index.ordinals[chunk] ?? 0,
    score,
    vector: cosine === null ? null : vectorScore(cosine, unrelatedCosine),
    cosine,
    lexical: lexicalScore(base.bm25[chunk] ?? 0, scale.halfLexical),
    agreement,
    words: query.explain ? sharesOf(base, chunk, query.terms, statistics) : null,
  }))
  return { chunks, scale }
}

/** Of a chunk that has nothing to compare and no word of the query. */
const notFound = Number.NEGATIVE_INFINITY

/**
 * Finds out how well the chunks match that are searched; of many, those that are likeliest to. What is left out of a search
 * changes no score: the leaders are those of the whole bases.
 */
function matched(bases: readonly ComparedBase[], query: RankedQuery, scale: Scale): { runs: readonly Run[]; leaders: readonly Leader[] } {
  const { queryVector, perSourceLimit, unrelatedCosine } = query
  const parts = matchParts(scale, unrelatedCosine)
  const agreeing = scale.agreementWeight > 0
  const wholly = perSourceLimit === null && bases.every(({ wanted }) => wanted === null)
  const wanted = wantedRuns(bases, queryVector, perSourceLimit !== null)
  const all = agreeing && !wholly ? wholeRuns(bases, queryVector) : wanted
  const likely = queryVector !== null && comparedIn(all) > exactUpTo ? likelyChunks(all, { queryVector, parts }) : undefined
  const narrowed = (runs: readonly Run[]) =>
    likely !== undefined && comparedIn(runs) > exactUpTo ? likely(runs, likeliestOf(comparedIn(runs))) : runs
  const looked = narrowed(all)
  const runs = all === wanted ? looked : narrowed(wanted)
  // Without a choice what is wanted is a part of all.
  for (const some of runs === looked || likely === undefined ? [looked] : [looked, runs]) {
    compare(some, queryVector, ({ cosines }) => cosines)
    writeMatches(some, parts)
  }
  return { runs, leaders: agreeing ? leadersOf(looked) : [] }
}

function writeMatches(runs: readonly Run[], { ofCosine: { share: vectorShare, unrelated }, ofBm25: { share, half } }: MatchParts): void {
  for (const run of runs) {
    const { bm25, cosines, matches } = run.base
    const chunks = chunksOf(run)
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      const words = bm25[chunk] ?? 0
      const ofMeaning = run.vectors !== null ? vectorShare * vectorScore(cosines[chunk] ?? 0, unrelated) : words > 0 ? 0 : notFound
      matches[chunk] = ofMeaning + share * lexicalScore(words, half)
    }
  }
}

interface Scores {
  /** @param agreement null for what has none */
  of(match: number, agreement: number | null): number
  /** Whether agreement counts for the chunks of a run. */
  agrees(run: Run): boolean
  /** What the match of a chunk of a run is divided by, if it agrees with nothing. */
  whole(run: Run): number
  /** As much as agreement can bring. */
  readonly mostOfAgreement: number
}

function scoresOf({ agreementWeight: weight }: Scale, leaders: readonly Leader[]): Scores {
  const most = leaders.reduce((sum, { match }) => sum + match, 0) / Math.max(leaders.length, 1)
  const agrees = ({ vectors }: Run): boolean => vectors !== null && leaders.length > 0
  return {
    of: (match, agreement) => (agreement === null ? match : (match + weight * agreement) / (1 + weight)),
    agrees,
    whole: (run) => (agrees(run) ? 1 + weight : 1),
    // Cosines are right to about 2e-5.
    mostOfAgreement: (weight * (most + 1e-4)) / (1 + weight),
  }
}

/** Narrows runs to the chunks that can be among the `topK`, however much they agree with the leaders. */
function finalistsOf(runs: readonly Run[], scores: Scores, { topK, threshold }: { topK: number; threshold: number }): Run[] {
  const best = new BestOf<{ score: number }>(topK, () => false)
  for (const run of runs) {
    const { matches } = run.base
    const [chunks, whole] = [chunksOf(run), scores.whole(run)]
    for (let at = 0; at < chunks.length; at++) {
      const score = (matches[chunks[at] ?? 0] ?? notFound) / whole
      if (score > best.least) best.offer({ score })
    }
  }
  return runs.map((run) => {
    const { matches } = run.base
    const [chunks, whole] = [chunksOf(run), scores.whole(run)]
    const needed = Math.max(best.least, threshold) - (scores.agrees(run) ? scores.mostOfAgreement : 0)
    const finalists: number[] = []
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      if ((matches[chunk] ?? notFound) / whole >= needed) finalists.push(chunk)
    }
    return { ...run, some: new Uint32Array(finalists) }
  })
}

function matchParts({ weights, halfLexical }: Scale, unrelatedCosine: number): MatchParts {
  const whole = weights.vector + weights.lexical
  return {
    ofCosine: { share: weights.vector / whole, unrelated: unrelatedCosine },
    ofBm25: { share: weights.lexical / whole, half: halfLexical },
  }
}

const lexicalScore = (bm25: number, half: number): number => bm25 / (bm25 + half)

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
  const [ofOne, ofOther] = [one.base.index.rangeAt(one.chunk).generation, other.base.index.rangeAt(other.chunk).generation]
  if (ofOne !== ofOther) return ofOne < ofOther
  return (one.base.index.ordinals[one.chunk] ?? 0) < (other.base.index.ordinals[other.chunk] ?? 0)
}

interface Leader extends Place {
  readonly vector: Float32Array
  readonly match: number
  /** Its share of the agreement with all leaders. */
  readonly share: number
  /** Where its source has its chunks. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The best matches, which others are asked to agree with. */
function leadersOf(runs: readonly Run[]): Leader[] {
  const best = new BestOf<Place & { readonly score: number; readonly vectors: PackedVectors }>(leaderCount, precedes)
  for (const run of runs) {
    const { base, vectors } = run
    if (vectors === null) continue
    const chunks = chunksOf(run)
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      const score = base.matches[chunk] ?? notFound
      if (score >= best.least) best.offer({ base, chunk, score, vectors })
    }
  }
  const leaders = best.sorted()
  return leaders.map(({ base, chunk, score, vectors }) => {
    const { from, to } = base.index.rangeAt(chunk)
    return { base, chunk, vector: vectors.get(chunk), match: score, share: score / leaders.length, from, to }
  })
}

/** How much a chunk is like the leaders. Of its own source each would draw in what stands beside it: there it counts how near the chunk is to the query. */
function agreementOf(base: ComparedBase, chunk: number, leaders: readonly Leader[]): number {
  let sum = 0
  for (const [place, { base: own, share, from, to }] of leaders.entries()) {
    const cosines = base === own && chunk >= from && chunk < to ? base.cosines : base.near[place]
    sum += share * Math.max(cosines?.[chunk] ?? 0, 0)
  }
  return sum
}

let room = roomOf(0)

function roomOf(size: number) {
  return {
    bm25: new Float32Array(size),
    cosines: new Float32Array(size),
    matches: new Float64Array(size),
    near: Array.from({ length: leaderCount }, () => new Float32Array(size)),
  }
}

/** Gives each base room for the numbers of its chunks, which the next search uses again. */
function withRoom(bases: readonly (SearchedBase & AskedBase)[]): ComparedBase[] {
  const size = bases.reduce((total, { index }) => total + index.size, 0)
  if (room.bm25.length < size) room = roomOf(Math.ceil(size * 1.25))
  let from = 0
  return bases.map((base) => {
    const to = from + base.index.size
    const part = {
      bm25: room.bm25.subarray(from, to),
      cosines: room.cosines.subarray(from, to),
      matches: room.matches.subarray(from, to),
      near: room.near.map((numbers) => numbers.subarray(from, to)),
    }
    from = to
    return { ...base, ...part }
  })
}
