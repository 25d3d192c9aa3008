import type { CurrentIndex, ModelPart } from './base-indexes.ts'
import type { ModelQuery } from './compared-model.ts'
import { confidenceOf } from './confidence.ts'
import { rank, type RankedChunk, type RankedQuery, type Ranking } from './rank.ts'
import { calibrated, type Calibration } from './scoring.ts'
import type { ScratchBuffers } from './scratch-buffers.ts'
import type { BaseScope } from './search-scope.ts'

interface SearchedPart extends ModelPart {
  readonly base: BaseScope
  readonly compared: ModelQuery
}

/**
 * Divides knowledge bases by the embedding models of their vectors. Most have one part. While a re-index follows a change of the
 * model, the sources that were added meanwhile are another part.
 */
export function modelParts(scope: readonly BaseScope[], queries: readonly ModelQuery[]): SearchedPart[] {
  return scope.flatMap((base) => {
    const known = queries.filter(({ model }) => base.models.includes(model.name))
    const own = known.length > 0 ? known : queries.slice(0, 1)
    const parts = own.map(({ model }) => model.name)
    return own.map((compared) => ({ id: base.id, reindexId: base.reindexId, model: compared.model, parts, base, compared }))
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

type FieldsOfModel = 'queryVector' | 'competence' | 'unrelatedCosine'

interface RankedPart extends Pick<CurrentIndex, 'index'>, Pick<BaseScope, 'selected'> {
  readonly compared: ModelQuery
}

/**
 * Ranks the parts of each embedding model by themselves, since vectors of two models cannot be compared, and merges the results by
 * score. The statistics of terms are those of all parts.
 */
export function rankByModel(
  searched: readonly RankedPart[],
  query: Omit<RankedQuery, FieldsOfModel>,
  scratch: ScratchBuffers,
): CalibratedRanking {
  const queries = new Set(searched.map(({ compared }) => compared))
  const rankings = Array.from(queries, (compared) => {
    const { vector, competence, model } = compared
    const own = searched.filter((part) => part.compared === compared)
    const others = searched.filter((part) => part.compared !== compared)
    const modelQuery = { queryVector: vector, competence, unrelatedCosine: model.unrelatedCosine }
    const ranking = rank(own, { ...query, ...modelQuery }, scratch, others)
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
