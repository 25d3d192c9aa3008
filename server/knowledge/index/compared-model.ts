import type { Embedder } from '../embed/embedder.ts'

/** What a search needs to know of an embedding model to compare its vectors. */
export interface ComparedModel {
  /** `model` of the embedder. */
  readonly name: string
  /** Cosine of unrelated texts, which counts as 0 in scores. */
  readonly unrelatedCosine: number
  /** Returns the competence of the model in each of the languages, 0 to 1, see `Embedder`. */
  competences(languages: readonly string[]): Promise<Readonly<Record<string, number>>>
}

/** A query as one embedding model compares it. */
export interface ModelQuery {
  readonly model: ComparedModel
  /** Of unit length; null if the query was not embedded. */
  readonly vector: Float32Array | null
  /** How far the vector means something, 0 to 1. */
  readonly competence: number
}

/** Without a measured value 0: the mean cosine of MiniLM over the paragraphs of SQuAD is .03. */
export const comparedModel = (embedder: Pick<Embedder, 'model' | 'competence' | 'unrelatedCosine'>): ComparedModel => ({
  name: embedder.model,
  unrelatedCosine: embedder.unrelatedCosine ?? 0,
  competences: async (languages) => Object.fromEntries(languages.map((language) => [language, embedder.competence(language)])),
})
