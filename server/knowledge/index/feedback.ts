import { vectorScore } from './candidates.ts'
import { chunksOf, type ScanRange, type ScoredBase } from './chunk-ranges.ts'
import { feedbackCount, type ScratchBuffers } from './scratch-buffers.ts'
import { TopK } from './top-k.ts'
import type { FloatVectors } from './vectors.ts'

/** A chunk of a searched knowledge base. */
export interface ChunkPlace {
  readonly base: ScoredBase
  readonly chunk: number
}

/** One of the best matches: other chunks score higher when they resemble it (pseudo-relevance feedback). */
export interface FeedbackDocument extends ChunkPlace {
  readonly vector: Float32Array
  readonly match: number
  /** Its weight among all feedback documents. */
  readonly weight: number
  /** The chunks of its source. */
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The match score of a chunk that has no comparable vector and no term of the query. */
export const notFound = Number.NEGATIVE_INFINITY

/** Orders chunks with equal scores by generation, then by position in the document. */
export function precedes(one: ChunkPlace, other: ChunkPlace): boolean {
  const [ofOne, ofOther] = [one.base.index.rangeAt(one.chunk).generation, other.base.index.rangeAt(other.chunk).generation]
  if (ofOne !== ofOther) return ofOne < ofOther
  return (one.base.index.ordinals[one.chunk] ?? 0) < (other.base.index.ordinals[other.chunk] ?? 0)
}

/** Returns the best matches that have vectors. */
export function feedbackDocuments(ranges: readonly ScanRange[], scratch: ScratchBuffers): FeedbackDocument[] {
  const best = new TopK<ChunkPlace & { readonly score: number; readonly vectors: FloatVectors }>(feedbackCount, precedes)
  for (const range of ranges) {
    const { base, vectors } = range
    if (vectors === null) continue
    const chunks = chunksOf(range, scratch)
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at] ?? 0
      const score = base.matches[chunk] ?? notFound
      if (score >= best.minScore) best.offer({ base, chunk, score, vectors })
    }
  }
  const documents = best.sorted()
  return documents.map(({ base, chunk, score, vectors }) => {
    const { from, to } = base.index.rangeAt(chunk)
    return { base, chunk, vector: vectors.get(chunk), match: score, weight: score / documents.length, from, to }
  })
}

/**
 * Returns the weighted mean of the `vectorScore`s of the cosines with the feedback documents, 0 to 1. Within a feedback document's own source
 * the cosine with the query counts instead: otherwise each document would raise the chunks beside it.
 */
export function feedbackScore(base: ScoredBase, chunk: number, documents: readonly FeedbackDocument[], unrelatedCosine: number): number {
  let sum = 0
  for (const [at, { base: own, weight, from, to }] of documents.entries()) {
    const cosines = base === own && chunk >= from && chunk < to ? base.cosines : base.feedback[at]
    sum += weight * vectorScore(cosines?.[chunk] ?? 0, unrelatedCosine)
  }
  return sum
}
