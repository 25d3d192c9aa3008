import type { QueryTerm } from './analyze.ts'
import { statisticsOf, termContributions, writeBm25Scores, type Bm25Base, type Statistics, type TermContribution } from './bm25.ts'
import { candidateSelector, vectorScore } from './candidates.ts'
import {
  chunksOf,
  computeCosines,
  countVectors,
  fullScanRanges,
  selectedScanRanges,
  type ScanRange,
  type ScoredBase,
  type SearchedBase,
} from './chunk-ranges.ts'
import { bestMatches, evidenceOf, type BestMatches, type Evidence } from './evidence.ts'
import { feedbackDocuments, feedbackScore, notFound, precedes, type ChunkPlace, type FeedbackDocument } from './feedback.ts'
import {
  calibrationOf,
  lexicalScore,
  matchParts,
  scaleOf,
  scoresOf,
  weightsOf,
  type Calibration,
  type MatchParts,
  type Scale,
  type Scores,
  type Weights,
} from './scoring.ts'
import { ScratchBuffers } from './scratch-buffers.ts'
import { termPostings } from './term-postings.ts'
import { TopK } from './top-k.ts'

export interface RankedQuery {
  readonly terms: readonly QueryTerm[]
  /** Weight of each group of terms. */
  readonly termWeights: readonly number[]
  /** Of unit length; null for a lexical search. */
  readonly queryVector: Float32Array | null
  /** How far the query's vector means something, 0 to 1, see `Embedder`. */
  readonly competence: number
  /** Whether BM25 takes part in the score beside vectors; it is the score of chunks whose vectors take no part. Otherwise the terms count for the evidence only. */
  readonly lexical: boolean
  readonly topK: number
  readonly perSourceLimit: number | null
  /** Cosine of unrelated texts under the embedding model. */
  readonly unrelatedCosine: number
  /** Include the BM25 contribution of each query term. */
  readonly explain: boolean
}

export interface RankedChunk {
  readonly generation: number
  readonly ordinal: number
  readonly score: number
  readonly weights: Weights
  /** 0 to 1; null if the vector takes no part. */
  readonly vector: number | null
  /** The cosine that `vector` is computed from. */
  readonly cosine: number | null
  readonly lexical: number
  /** Similarity to the feedback documents, 0 to 1; null when only one side takes part. */
  readonly feedback: number | null
  /** Only with `explain`. */
  readonly contributions: readonly TermContribution[] | null
}

export interface Ranking {
  readonly chunks: readonly RankedChunk[]
  readonly scale: Scale
  /** Depends on the whole knowledge bases, so a filter changes no score. */
  readonly calibration: Calibration
  /** The weight of each group of terms, see `Statistics`. */
  readonly groupWeights: readonly number[]
  /** Of the best hybrid matches of the whole knowledge bases; null if there are none. */
  readonly evidence: Evidence | null
}

/** Up to this number of chunks, every cosine is computed; beyond it, only those of candidates. */
const exactSearchLimit = 4_000

interface ScoredChunk extends ChunkPlace {
  readonly score: number
  readonly cosine: number | null
  readonly feedback: number | null
  readonly competence: number
}

/**
 * Returns the chunks with the highest scores, best first. Equal scores are ordered by generation, then by position in the
 * document, so a larger `topK` only extends the list.
 * @param others are not searched, but count in the statistics of terms
 */
export function rank(
  searched: readonly SearchedBase[],
  query: RankedQuery,
  scratch = new ScratchBuffers(),
  others: readonly SearchedBase[] = [],
): Ranking {
  const { perSourceLimit, topK, unrelatedCosine } = query
  const postingsIn = (base: SearchedBase) => ({
    ...base,
    postings: query.terms.map((term) => termPostings(base.index, term, scratch)),
  })
  scratch.releaseEntries()
  const withPostings = searched.map(postingsIn)
  const statistics = statisticsOf([...withPostings, ...others.map(postingsIn)], query)
  const scale = scaleOf(query, statistics)
  const bases = withScoreBuffers(withPostings, scratch)
  for (const base of bases) writeBm25Scores(base.bm25, base, query.terms, statistics)
  const hybrid = query.lexical ? null : hybridMatches(bases, query, statistics, scratch)
  const { ranges, feedback, best: own } = computeMatches(bases, query, scale, scratch)
  const evidence = evidenceOf(hybrid ?? own, query.terms, statistics)
  const scoresIn = scoresOf(scale, feedback)
  const finalists = perSourceLimit === null ? selectFinalists(ranges, scoresIn, query, scratch) : ranges
  for (const [at, { vector }] of feedback.entries()) computeCosines(finalists, vector, (base) => base.feedback[at])
  const best = new TopK<ScoredChunk>(topK, precedes)
  for (const ofGeneration of byGeneration(finalists)) {
    const ofSource = perSourceLimit === null ? best : new TopK<ScoredChunk>(Math.min(perSourceLimit, topK), precedes)
    for (const range of ofGeneration) {
      const { base, vectors, competence } = range
      const scores = scoresIn(range)
      for (const chunk of chunksOf(range, scratch)) {
        const similarity = scores.hasFeedback ? feedbackScore(base, chunk, feedback, unrelatedCosine) : null
        const score = scores.of(base.matches[chunk] ?? notFound, similarity)
        if (score === notFound || score < ofSource.minScore) continue
        const cosine = vectors === null ? null : (base.cosines[chunk] ?? 0)
        ofSource.offer({ base, chunk, score, cosine, feedback: similarity, competence })
      }
    }
    if (ofSource !== best) for (const each of ofSource.sorted()) best.offer(each)
  }
  const chunks = best.sorted().map(({ base, chunk, score, cosine, feedback: similarity, competence }) => {
    const weights = weightsOf(scale, competence)
    const contributions = weights.lexical > 0 ? () => termContributions(base, chunk, query.terms, statistics) : () => []
    return {
      generation: base.index.rangeAt(chunk).generation,
      ordinal: base.index.ordinals[chunk] ?? 0,
      score,
      weights,
      vector: cosine === null ? null : vectorScore(cosine, unrelatedCosine),
      cosine,
      lexical: lexicalScore(base.bm25[chunk] ?? 0, scale.halfLexical),
      feedback: similarity,
      contributions: query.explain ? contributions() : null,
    }
  })
  const usesVectors = fullScanRanges(bases, query).some(({ vectors }) => vectors !== null)
  return { chunks, scale, calibration: calibrationOf(query, usesVectors), groupWeights: statistics.groupWeights, evidence }
}

/** Groups consecutive ranges of the same generation. */
function byGeneration(ranges: readonly ScanRange[]): ScanRange[][] {
  const groups: ScanRange[][] = []
  for (const range of ranges) {
    const last = groups.at(-1)
    if (range.generation !== undefined && last?.[0]?.generation === range.generation) last.push(range)
    else groups.push([range])
  }
  return groups
}

/** Gives each knowledge base its part of the score buffers. */
function withScoreBuffers(bases: readonly (SearchedBase & Bm25Base)[], scratch: ScratchBuffers): ScoredBase[] {
  const { bm25, cosines, matches, feedback } = scratch.scores(bases.reduce((total, { index }) => total + index.size, 0))
  let from = 0
  return bases.map((base) => {
    const to = from + base.index.size
    const part = {
      bm25: bm25.subarray(from, to),
      cosines: cosines.subarray(from, to),
      matches: matches.subarray(from, to),
      feedback: feedback.map((numbers) => numbers.subarray(from, to)),
    }
    from = to
    return { ...base, ...part }
  })
}

/** Returns the best hybrid matches of the whole knowledge bases. */
function hybridMatches(bases: readonly ScoredBase[], query: RankedQuery, statistics: Statistics, scratch: ScratchBuffers): BestMatches {
  const whole = bases.map((base) => ({ ...base, selected: null }))
  const hybrid = { ...query, lexical: true, perSourceLimit: null }
  return computeMatches(whole, hybrid, scaleOf(hybrid, statistics), scratch).best
}

/**
 * Computes the match scores of the selected chunks; above `exactSearchLimit`, those of the candidates among them. A filter
 * changes no score: feedback documents and best matches are chosen from the whole knowledge bases.
 */
function computeMatches(
  bases: readonly ScoredBase[],
  query: RankedQuery,
  scale: Scale,
  scratch: ScratchBuffers,
): { ranges: readonly ScanRange[]; feedback: readonly FeedbackDocument[]; best: BestMatches } {
  const { queryVector, perSourceLimit, unrelatedCosine } = query
  const parts = matchParts(scale, unrelatedCosine)
  const usesFeedback = queryVector !== null && scale.lexical
  const isFullScan = perSourceLimit === null && bases.every(({ selected }) => selected === null)
  const selected = selectedScanRanges(bases, query, perSourceLimit !== null)
  const all = query.lexical && !isFullScan ? fullScanRanges(bases, query) : selected
  const selectCandidates =
    queryVector !== null && countVectors(all) > exactSearchLimit ? candidateSelector(all, { queryVector, parts, scratch }) : undefined
  const narrow = (ranges: readonly ScanRange[]) =>
    selectCandidates !== undefined && countVectors(ranges) > exactSearchLimit ? selectCandidates(ranges) : ranges
  const scanned = narrow(all)
  const ranges = all === selected ? scanned : narrow(selected)
  // Without candidates, the selected chunks are a part of all chunks and need no second scan.
  for (const some of ranges === scanned || selectCandidates === undefined ? [scanned] : [scanned, ranges]) {
    computeCosines(some, queryVector, ({ cosines }) => cosines)
    writeMatches(some, parts, scratch)
  }
  return { ranges, feedback: usesFeedback ? feedbackDocuments(scanned, scratch) : [], best: bestMatches(scanned, scratch) }
}

function writeMatches(ranges: readonly ScanRange[], parts: (competence: number) => MatchParts, scratch: ScratchBuffers): void {
  for (const range of ranges) {
    const { vector, lexical } = parts(range.competence)
    const { bm25, cosines, matches } = range.base
    const chunks = chunksOf(range, scratch)
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      const score = bm25[chunk] ?? 0
      const similarity =
        range.vectors !== null
          ? vector.weight * vectorScore(cosines[chunk] ?? 0, vector.unrelatedCosine)
          : score * lexical.weight > 0
            ? 0
            : notFound
      matches[chunk] = similarity + lexical.weight * lexicalScore(score, lexical.half)
    }
  }
}

/** Narrows ranges to the chunks that can reach the top k with the highest possible feedback score. */
function selectFinalists(
  ranges: readonly ScanRange[],
  scoresIn: (range: ScanRange) => Scores,
  { topK }: { topK: number },
  scratch: ScratchBuffers,
): ScanRange[] {
  const best = new TopK<{ score: number }>(topK, () => false)
  for (const range of ranges) {
    const { matches } = range.base
    const [chunks, { divisor }] = [chunksOf(range, scratch), scoresIn(range)]
    for (let at = 0; at < chunks.length; at++) {
      const score = (matches[chunks[at] ?? 0] ?? notFound) / divisor
      if (score > best.minScore) best.offer({ score })
    }
  }
  return ranges.map((range) => {
    const { matches } = range.base
    const [chunks, { divisor, maxFeedback }] = [chunksOf(range, scratch), scoresIn(range)]
    const needed = best.minScore - maxFeedback
    const finalists: number[] = []
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      if ((matches[chunk] ?? notFound) / divisor >= needed) finalists.push(chunk)
    }
    return { ...range, selected: new Uint32Array(finalists) }
  })
}
