import type { QueryTerm } from './analyze.ts'
import { termContributions, type Statistics } from './bm25.ts'
import { chunksOf, type ScanRange } from './chunk-ranges.ts'
import { notFound, precedes, type ChunkPlace } from './feedback.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'
import { TopK } from './top-k.ts'

/** Numbers about the best matches of the whole knowledge bases, from which the confidence of a reply is computed. */
export interface Evidence {
  /** Share of the query's term weights that the best match contains, 0 to 1. */
  readonly coverage: number
  /** BM25 score of the best match as a share of the highest possible one, 0 to 1. */
  readonly strength: number
  /** Weight of the heaviest term that the best match lacks, as a share of all weights. */
  readonly missing: number
  /** Logarithm of one plus the number of query words with terms. */
  readonly length: number
  /** Distance of the second match from the best one, as a share of the best one. */
  readonly gap: number
  /** Null if the vector of the best match cannot be compared. */
  readonly vector: {
    /** Cosine of the best match with the query. */
    readonly cosine: number
    /** Distance of the nearest chunk's cosine from the mean of the nearest ones. */
    readonly lead: number
  } | null
}

/** The best matches of a search. */
export interface BestMatches {
  /** By match score. */
  readonly matches: readonly Match[]
  /** The highest cosines with the query, in descending order; those of equal chunks once. */
  readonly cosines: readonly number[]
}

interface Match extends ChunkPlace {
  readonly score: number
  /** Null without a comparable vector. */
  readonly cosine: number | null
}

/** Cosines of chunks with less competence tell too little. */
const minCompetence = 0.5
/** Number of nearest chunks that `lead` compares. */
const nearestCount = 10
/** Additional chunks that are kept because equal ones count once. */
const duplicates = 10

/** Returns the best matches of ranges whose match scores and cosines are computed. */
export function bestMatches(ranges: readonly ScanRange[], scratch: ScratchBuffers): BestMatches {
  const best = new TopK<Match>(1 + duplicates, precedes)
  const nearest = new TopK<{ readonly score: number }>(nearestCount + duplicates, () => false)
  for (const range of ranges) {
    const { base, vectors, competence } = range
    const isCompared = vectors !== null && competence >= minCompetence
    const chunks = chunksOf(range, scratch)
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      const score = base.matches[chunk] ?? notFound
      const cosine = base.cosines[chunk] ?? 0
      if (score > notFound && score >= best.minScore) best.offer({ base, chunk, score, cosine: isCompared ? cosine : null })
      if (isCompared && cosine > nearest.minScore) nearest.offer({ score: cosine })
    }
  }
  const cosines = nearest.sorted().map(({ score }) => score)
  return { matches: best.sorted(), cosines: cosines.filter((cosine, at) => cosine !== cosines[at - 1]).slice(0, nearestCount) }
}

/** Returns the evidence of the best matches; null if there are none. */
export function evidenceOf({ matches, cosines }: BestMatches, terms: readonly QueryTerm[], statistics: Statistics): Evidence | null {
  const [best] = matches
  if (best === undefined) return null
  const contributions = termContributions(best.base, best.chunk, terms, statistics)
  const contained = new Set(contributions.map(({ group }) => group))
  const groups = [...new Set(terms.map(({ group }) => group))]
  const weightOf = (group: number): number => statistics.groupWeights[group] ?? 0
  const total = Math.max(sum(groups.map(weightOf)), Number.MIN_VALUE)
  const second = matches.find(({ score }) => score < best.score)?.score ?? 0
  return {
    coverage: sum([...contained].map(weightOf)) / total,
    strength: sum(contributions.map(({ bm25 }) => bm25)) / total,
    missing: Math.max(0, ...groups.filter((group) => !contained.has(group)).map(weightOf)) / total,
    length: Math.log1p(groups.length),
    gap: best.score > 0 ? (best.score - Math.max(second, 0)) / best.score : 0,
    vector: best.cosine === null ? null : { cosine: best.cosine, lead: (cosines[0] ?? 0) - sum(cosines) / Math.max(cosines.length, 1) },
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
