import type { QueryTerm } from './analyze.ts'
import { sideBySide, type BaseIndex, type Stretch } from './base-index.ts'
import { BestOf } from './best-of.ts'
import type { PackedVectors } from './packed-vectors.ts'
import { termPostings } from './term-postings.ts'

/** What is searched of a base. */
export interface SearchedBase {
  readonly index: BaseIndex
  /** Only these generations; null for all live ones. */
  readonly wanted: readonly number[] | null
}

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

/** What a word of the query brings to a chunk. */
export interface WordShare {
  /** The group of its terms. */
  readonly word: number
  readonly weight: number
  readonly bm25: number
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

/** Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); the customary values. */
const k1 = 1.2
const b = 0.75
/** What either side weighs in a match of both. */
const bothWeights = { vector: 1, lexical: 2.5 }
/** What agreement weighs beside a match of 1. nDCG@10 on Cranfield .417, .432, .435 for 0, .4 and .5, and elsewhere the same within .004. */
const agreementWeight = 0.5
/** So many of the best matches are agreed with. */
const leaderCount = 2
/** Chunks up to which every cosine is computed. Of more, those of the likeliest are, by how many signs differ. */
const exactUpTo = 20_000
const likeliest = 2_000

/** A stretch of one base that is scanned at once. */
interface Run {
  readonly index: BaseIndex
  /** Where the base's chunks begin among those of all bases. */
  readonly offset: number
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** Null where there is nothing to compare: only what has a word of the query is found. */
  readonly vectors: PackedVectors | null
}

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
  const { cosines, agreements } = scratchFor(bases)
  const wholly = perSourceLimit === null && bases.every(({ wanted }) => wanted === null)
  const statistics = statisticsOf(bases, query)
  const scale = scaleOf(query, statistics)
  const bm25 = bm25Of(bases, query.terms, statistics)
  const matchOf = (at: number, cosine: number | null): number => {
    const vector = cosine === null ? 0 : vectorScore(cosine, unrelatedCosine)
    const { weights } = scale
    return (weights.vector * vector + weights.lexical * lexicalScore(bm25[at] ?? 0, scale)) / (weights.vector + weights.lexical)
  }
  // What is left out of a search changes no score: the leaders are those of the whole bases.
  const all = runsOf(
    bases.map(({ index }) => ({ index, wanted: null })),
    queryVector,
    false,
  )
  const chosenOfAll = chosenOf(all, queryVector, bm25, matchOf)
  const leaders = scale.agreementWeight === 0 ? [] : leadersOf(all, chosenOfAll, queryVector, matchOf)
  const runs = wholly ? all : runsOf(bases, queryVector, perSourceLimit !== null)
  const chosen = wholly ? chosenOfAll : chosenOf(runs, queryVector, bm25, matchOf)
  compare(runs, chosen, queryVector, (at, cosine) => (cosines[at] = cosine))
  for (const [place, leader] of leaders.entries()) {
    const share = leader.match / leaders.length
    compare(runs, chosen, leader.vector, (at, cosine) => {
      agreements[at] = (place === 0 ? 0 : (agreements[at] ?? 0)) + share * Math.max(cosine, 0)
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

type MatchOf = (at: number, cosine: number) => number

interface Leader {
  readonly vector: Float32Array
  readonly match: number
}

/** The best matches. */
function leadersOf(
  runs: readonly Run[],
  chosen: readonly number[][] | undefined,
  queryVector: Float32Array | null,
  matchOf: MatchOf,
): Leader[] {
  const best = new BestOf<Candidate>(leaderCount, precedes)
  compare(runs, chosen, queryVector, (at, cosine) => {
    const score = matchOf(at, cosine)
    if (score < best.least) return
    const run = runs.findLast(({ offset }) => offset <= at)
    if (run !== undefined) best.offer({ index: run.index, chunk: at - run.offset, score, bm25: 0, cosine, agreement: null })
  })
  return best
    .sorted()
    .flatMap(({ index, chunk, score }) => (index.vectors === null ? [] : [{ vector: index.vectors.get(chunk), match: score }]))
}

/** Of each run the chunks to look at; undefined for all of all. */
function chosenOf(runs: readonly Run[], queryVector: Float32Array | null, bm25: Float64Array, matchOf: MatchOf): number[][] | undefined {
  const compared = runs.reduce((total, { vectors, from, to }) => total + (vectors === null ? 0 : to - from), 0)
  return queryVector === null || compared <= exactUpTo ? undefined : likelyChunks(runs, queryVector, bm25, matchOf)
}

/** Calls back with the place of each chunk among those of all bases, and its cosine with `vector`. */
function compare(
  runs: readonly Run[],
  chosen: readonly number[][] | undefined,
  vector: Float32Array | null,
  use: (at: number, cosine: number) => void,
): void {
  if (vector === null) return
  for (const [place, { vectors, offset, from, to }] of runs.entries()) {
    if (vectors === null) continue
    vectors.ask(vector)
    if (chosen === undefined) {
      vectors.cosines(from, to, (cosines, first) => {
        for (let each = 0; each < cosines.length; each++) use(offset + first + each, cosines[each] ?? 0)
      })
    } else {
      for (const chunk of chosen[place] ?? []) use(offset + chunk, vectors.cosine(chunk))
    }
  }
}

interface Statistics {
  /** How rare the words of each group are. */
  readonly wordWeights: readonly number[]
  /** Of a chunk, in terms. */
  readonly meanLength: number
  /** How many there are. */
  readonly chunks: number
}

/** Over all live chunks of the bases, whatever of them is searched. */
function statisticsOf(bases: readonly SearchedBase[], { terms, termWeights }: RankedQuery): Statistics {
  const chunks = bases.reduce((total, { index }) => total + index.chunks, 0)
  const length = bases.reduce((total, { index }) => total + index.terms, 0)
  const frequencies = termWeights.map(() => 0)
  for (const { index } of bases)
    for (const term of terms) frequencies[term.group] = (frequencies[term.group] ?? 0) + termPostings(index, term).chunks.length
  const rarity = (having: number): number => Math.log(1 + (chunks - having + 0.5) / (having + 0.5))
  return {
    wordWeights: frequencies.map((having, group) => (termWeights[group] ?? 0) * rarity(having)),
    meanLength: length / Math.max(chunks, 1),
    chunks,
  }
}

let scratch = new Float64Array(0)

/** BM25 of every chunk of the bases, one base behind the other. Overwritten by the next call. */
function bm25Of(bases: readonly SearchedBase[], terms: readonly QueryTerm[], { wordWeights, meanLength }: Statistics): Float64Array {
  const size = bases.reduce((total, { index }) => total + index.size, 0)
  if (scratch.length < size) scratch = new Float64Array(Math.ceil(size * 1.25))
  scratch.fill(0, 0, size)
  const [ofNone, ofTerm] = [k1 * (1 - b), (k1 * b) / meanLength]
  let offset = 0
  for (const { index } of bases) {
    const { lengths } = index
    const bm25 = scratch.subarray(offset, offset + index.size)
    for (const term of terms) {
      const weight = wordWeights[term.group] ?? 0
      const { chunks, frequencies } = termPostings(index, term)
      for (let at = 0; at < chunks.length; at++) {
        const chunk = chunks[at] ?? 0
        const frequency = frequencies[at] ?? 0
        bm25[chunk] = (bm25[chunk] ?? 0) + (weight * frequency) / (frequency + ofNone + ofTerm * (lengths[chunk] ?? 0))
      }
    }
    offset += index.size
  }
  return scratch
}

/** What each word of the query brings to the BM25 of one chunk. */
function sharesOf(index: BaseIndex, chunk: number, terms: readonly QueryTerm[], { wordWeights, meanLength }: Statistics): WordShare[] {
  const norm = k1 * (1 - b + (b * (index.lengths[chunk] ?? 0)) / meanLength)
  return terms.flatMap((term) => {
    const { chunks, frequencies } = termPostings(index, term)
    const frequency = frequencies[placeOf(chunk, chunks)]
    if (frequency === undefined) return []
    const weight = wordWeights[term.group] ?? 0
    return [{ word: term.group, weight, bm25: (weight * frequency) / (frequency + norm) }]
  })
}

/** -1 where it is not among them. */
function placeOf(chunk: number, ascending: Int32Array): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < chunk) low = middle + 1
    else high = middle
  }
  return ascending[low] === chunk ? low : -1
}

/** Of each base what is wanted: what lies side by side at once, or each generation apart. */
function runsOf(bases: readonly SearchedBase[], queryVector: Float32Array | null, apart: boolean): Run[] {
  let offset = 0
  return bases.flatMap(({ index, wanted }) => {
    const comparable = queryVector !== null && index.vectors?.dimensions === queryVector.length ? index.vectors : null
    const runs = stretchesOf(index, wanted, apart).map(({ from, to, compared }) => ({
      index,
      offset,
      from,
      to,
      vectors: compared ? comparable : null,
    }))
    offset += index.size
    return runs
  })
}

function stretchesOf(index: BaseIndex, wanted: readonly number[] | null, apart: boolean): readonly Stretch[] {
  if (wanted === null) return apart ? index.ranges : index.stretches
  const ranges = wanted.flatMap((generation) => index.rangeOf(generation) ?? []).toSorted((one, other) => one.from - other.from)
  return apart ? ranges : sideBySide(ranges)
}

let scratches = { cosines: new Float32Array(0), agreements: new Float32Array(0), guesses: new Uint16Array(0) }

/** Room for a number a chunk of the bases, one base behind the other. Used again by the next search. */
function scratchFor(bases: readonly { readonly index: BaseIndex }[]): typeof scratches {
  const size = bases.reduce((total, { index }) => total + index.size, 0)
  if (scratches.cosines.length < size) {
    const room = Math.ceil(size * 1.25)
    scratches = { cosines: new Float32Array(room), agreements: new Float32Array(room), guesses: new Uint16Array(room) }
  }
  return scratches
}

const steps = 4096
const stepOf = (match: number): number => Math.floor(match * (steps - 1))
const noChunk = -1

/** Of each run the chunks that are among the likeliest of all, by a match of which the cosine is guessed. */
function likelyChunks(runs: readonly Run[], queryVector: Float32Array, bm25: Float64Array, matchOf: MatchOf): number[][] {
  const { guesses } = scratches
  const counts = new Uint32Array(steps)
  for (const { vectors, from, to, offset } of runs) {
    if (vectors === null) continue
    vectors.ask(queryVector)
    // Of vectors at an angle, about that share of the signs differs. Most chunks have no word of the query.
    const cosines = Array.from({ length: vectors.dimensions + 1 }, (_, differing) => Math.cos((Math.PI * differing) / vectors.dimensions))
    const wordless = Uint16Array.from(cosines, (cosine) => stepOf(matchOf(noChunk, cosine)))
    vectors.differences(from, to, (differences, first) => {
      for (let each = 0, at = offset + first; each < differences.length; each++, at++) {
        const differing = differences[each] ?? 0
        const guess = bm25[at] === 0 ? (wordless[differing] ?? 0) : stepOf(matchOf(at, cosines[differing] ?? 0))
        guesses[at] = guess
        counts[guess] = (counts[guess] ?? 0) + 1
      }
    })
  }
  let least = steps
  for (let count = 0; least > 0 && count < likeliest;) count += counts[--least] ?? 0
  return runs.map(({ vectors, from, to, offset }) => {
    const chunks: number[] = []
    if (vectors !== null) for (let chunk = from; chunk < to; chunk++) if ((guesses[offset + chunk] ?? 0) >= least) chunks.push(chunk)
    return chunks
  })
}
