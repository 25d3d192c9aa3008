import type { QueryTerm } from './analyze.ts'
import type { BaseIndex, GenerationRange } from './base-index.ts'
import { BestOf } from './best-of.ts'
import type { WordShare } from './explain.ts'
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

export interface RankedChunk {
  readonly generation: number
  readonly ordinal: number
  readonly score: number
  /** 0 to 1, and the cosine that it was made of; null where there was nothing to compare. */
  readonly vector: number | null
  readonly cosine: number | null
  readonly lexical: number
  /** Only where it was asked for. */
  readonly words: readonly WordShare[] | null
}

/** Robertson and Zaragoza, The Probabilistic Relevance Framework (2009); the customary values. */
const k1 = 1.2
const b = 0.75
/** BM25 at which the lexical score is one half: five words that one of 5,000 chunks has, each found once. */
export const halfLexical = 20
/** What the lexical score weighs, where the vector score weighs 1. */
const lexicalWeight = 2.5
/** Chunks up to which every cosine is computed. Of more, those of the likeliest are, by how many signs differ. */
const exactUpTo = 50_000
const likeliest = 2_000

/** What either side weighs in the score. */
export const weightsOf = ({ queryVector, lexical }: Pick<RankedQuery, 'queryVector' | 'lexical'>) => ({
  vector: queryVector === null ? 0 : 1,
  lexical: lexical ? lexicalWeight : 0,
})

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
}

/**
 * The chunks with the highest scores, best first. Equal ones are ordered by generation, then by place in the document, so a
 * larger topK only makes the list longer.
 */
export function rank(bases: readonly SearchedBase[], query: RankedQuery): RankedChunk[] {
  const { queryVector, perSourceLimit, threshold, topK, unrelatedCosine } = query
  const weights = weightsOf(query)
  const statistics = statisticsOf(bases, query)
  const bm25 = bm25Of(bases, query.terms, statistics)
  const runs = runsOf(bases, queryVector, perSourceLimit !== null)
  const scored = (run: Run, chunk: number, cosine: number | null): number => {
    const vector = cosine === null ? 0 : vectorScore(cosine, unrelatedCosine)
    const words = bm25[run.offset + chunk] ?? 0
    return (weights.vector * vector + weights.lexical * lexicalScore(words)) / (weights.vector + weights.lexical)
  }
  const best = new BestOf<Candidate>(topK, precedes)
  let into = best
  const consider = (run: Run, chunk: number, cosine: number | null): void => {
    const score = scored(run, chunk, cosine)
    if (score < threshold || score < into.least) return
    into.offer({ index: run.index, chunk, score, bm25: bm25[run.offset + chunk] ?? 0, cosine })
  }
  const comparing = runs.reduce((total, { vectors, from, to }) => total + (vectors === null ? 0 : to - from), 0)
  const likely = comparing > exactUpTo ? likelyChunks(runs, scored) : undefined
  for (const [at, run] of runs.entries()) {
    const { vectors, from, to, offset } = run
    if (perSourceLimit !== null) into = new BestOf<Candidate>(Math.min(perSourceLimit, topK), precedes)
    if (vectors === null) {
      for (let chunk = from; chunk < to; chunk++) if ((bm25[offset + chunk] ?? 0) > 0) consider(run, chunk, null)
    } else if (likely === undefined) {
      vectors.cosines(from, to, (cosines, first) => {
        for (let each = 0; each < cosines.length; each++) consider(run, first + each, cosines[each] ?? 0)
      })
    } else {
      for (const chunk of likely[at] ?? []) consider(run, chunk, vectors.cosine(chunk))
    }
    if (into !== best) for (const each of into.sorted()) best.offer(each)
  }
  return best.sorted().map(({ index, chunk, score, bm25: ofWords, cosine }) => ({
    generation: index.rangeAt(chunk).generation,
    ordinal: index.ordinals[chunk] ?? 0,
    score,
    vector: cosine === null ? null : vectorScore(cosine, unrelatedCosine),
    cosine,
    lexical: lexicalScore(ofWords),
    words: query.explain ? sharesOf(index, chunk, query.terms, statistics) : null,
  }))
}

const vectorScore = (cosine: number, unrelated: number): number => Math.min(Math.max((cosine - unrelated) / (1 - unrelated), 0), 1)
const lexicalScore = (bm25: number): number => bm25 / (bm25 + halfLexical)

function precedes(one: Candidate, other: Candidate): boolean {
  const [ofOne, ofOther] = [one.index.rangeAt(one.chunk).generation, other.index.rangeAt(other.chunk).generation]
  if (ofOne !== ofOther) return ofOne < ofOther
  return (one.index.ordinals[one.chunk] ?? 0) < (other.index.ordinals[other.chunk] ?? 0)
}

interface Statistics {
  /** How rare the words of each group are. */
  readonly wordWeights: readonly number[]
  /** Of a chunk, in terms. */
  readonly meanLength: number
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

/** Of each base what is wanted: what lies side by side at once, or each generation apart. Asks the vectors the query. */
function runsOf(bases: readonly SearchedBase[], queryVector: Float32Array | null, apart: boolean): Run[] {
  let offset = 0
  return bases.flatMap(({ index, wanted }) => {
    const comparable = queryVector !== null && index.vectors?.dimensions === queryVector.length ? index.vectors : null
    if (queryVector !== null) comparable?.ask(queryVector)
    const ranges = wanted === null ? index.ranges : wanted.flatMap((generation) => index.rangeOf(generation) ?? []).toSorted(byPlace)
    const runs = (apart ? ranges : joined(ranges)).map(({ from, to, compared }) => ({
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

const byPlace = (one: GenerationRange, other: GenerationRange): number => one.from - other.from

function joined(ranges: readonly GenerationRange[]): GenerationRange[] {
  const runs: GenerationRange[] = []
  for (const range of ranges) {
    const last = runs.at(-1)
    if (last?.to === range.from && last.compared === range.compared) runs[runs.length - 1] = { ...last, to: range.to }
    else runs.push(range)
  }
  return runs
}

const steps = 4096
let guesses = new Uint16Array(0)

/** Of each run the chunks that are among the likeliest of all, by a score of which the cosine is guessed. */
function likelyChunks(runs: readonly Run[], scored: (run: Run, chunk: number, cosine: number) => number): number[][] {
  const size = runs.reduce((most, { offset, to }) => Math.max(most, offset + to), 0)
  if (guesses.length < size) guesses = new Uint16Array(Math.ceil(size * 1.25))
  const counts = new Uint32Array(steps)
  for (const run of runs) {
    const { vectors, from, to, offset } = run
    if (vectors === null) continue
    // Of vectors at an angle, about that share of the signs differs.
    const cosines = Float64Array.from({ length: vectors.dimensions + 1 }, (_, differing) =>
      Math.cos((Math.PI * differing) / vectors.dimensions),
    )
    vectors.differences(from, to, (differences, first) => {
      for (let at = 0; at < differences.length; at++) {
        const guess = Math.floor(scored(run, first + at, cosines[differences[at] ?? 0] ?? 0) * (steps - 1))
        guesses[offset + first + at] = guess
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
