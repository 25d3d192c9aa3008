import { confidenceOf } from '../index/confidence.ts'
import { rank, type RankedChunk, type RankedQuery, type Ranking } from '../index/rank.ts'
import { calibrated, type Calibration } from '../index/scoring.ts'
import type { ScratchBuffers } from '../index/scratch-buffers.ts'
import type { CurrentIndex, ModelPart } from '../index/search-indexes.ts'
import type { BaseScope } from '../index/search-scope.ts'
import type { EmbeddedQuery } from './embedded-query.ts'

interface SearchedPart extends ModelPart {
  readonly base: BaseScope
  readonly embedded: EmbeddedQuery
}

/**
 * Divides knowledge bases by the embedding models of their vectors. Most have one part. While a re-index follows a change of the
 * model, the sources that were added meanwhile are another part.
 */
export function modelParts(scope: readonly BaseScope[], queries: readonly EmbeddedQuery[]): SearchedPart[] {
  return scope.flatMap((base) => {
    const compared = queries.filter(({ embedder }) => base.models.includes(embedder.model))
    const own = compared.length > 0 ? compared : queries.slice(0, 1)
    const parts = own.map(({ embedder }) => embedder.model)
    return own.map((embedded) => ({ id: base.id, reindexId: base.reindexId, embedder: embedded.embedder, parts, base, embedded }))
  })
}

export interface CalibratedChunk extends Omit<RankedChunk, 'score'> {
  /** 0 to 1, comparable between models. */
  readonly score: number
  /** Chunks are ranked by it within a model. */
  readonly relevance: number
  readonly calibration: Calibration
}

export interface CalibratedRanking extends Pick<Ranking, 'scale' | 'groupWeights'> {
  readonly chunks: readonly CalibratedChunk[]
  /** 0 to 1, of the model with the most certain matches. */
  readonly confidence: number
}

type ModelQuery = 'queryVector' | 'competence' | 'unrelatedCosine'

interface RankedPart extends Pick<CurrentIndex, 'index'>, Pick<BaseScope, 'selected'> {
  readonly embedded: EmbeddedQuery
}

/**
 * Ranks the parts of each embedding model by themselves, since vectors of two models cannot be compared, and merges the results by
 * score. The statistics of terms are those of all parts.
 */
export function rankByModel(
  searched: readonly RankedPart[],
  query: Omit<RankedQuery, ModelQuery>,
  scratch: ScratchBuffers,
): CalibratedRanking {
  const models = new Set(searched.map(({ embedded }) => embedded))
  const rankings = Array.from(models, ({ vector, competence, embedder }) => {
    const own = searched.filter(({ embedded }) => embedded.embedder === embedder)
    const others = searched.filter((part) => !own.includes(part))
    // Without a measured value 0: the mean cosine of MiniLM over the paragraphs of SQuAD is .03.
    const compared = { queryVector: vector, competence, unrelatedCosine: embedder.unrelatedCosine ?? 0 }
    const ranking = rank(own, { ...query, ...compared }, scratch, others)
    const { calibration } = ranking
    const chunks = ranking.chunks.map((chunk) => ({
      ...chunk,
      relevance: chunk.score,
      score: calibrated(chunk.score, calibration),
      calibration,
    }))
    return { ...ranking, chunks }
  })
  const [first] = rankings
  if (first === undefined) return { ...rank([], { ...query, ...noModel }, scratch), chunks: [], confidence: confidenceOf(null) }
  return {
    scale: first.scale,
    groupWeights: first.groupWeights,
    chunks:
      rankings.length === 1
        ? first.chunks
        : merged(
            rankings.map(({ chunks }) => chunks),
            query.topK,
          ),
    confidence: Math.max(...rankings.map(({ evidence }) => confidenceOf(evidence))),
  }
}

const noModel = { queryVector: null, competence: 0, unrelatedCosine: 0 }

function merged(lists: readonly (readonly CalibratedChunk[])[], topK: number): CalibratedChunk[] {
  const inOrder = (a: CalibratedChunk, b: CalibratedChunk): number =>
    b.score - a.score || a.generation - b.generation || a.ordinal - b.ordinal
  return lists.flat().toSorted(inOrder).slice(0, topK)
}
