/** The purpose of an embedding. Some models need a prefix for it. */
export type EmbeddingPurpose = 'query' | 'passage'

/** Converts texts to vectors of unit length. The bundled model and remote endpoints share this interface. */
export interface Embedder {
  /** Stored with every vector as `model@weights/precision`. Vectors of two models are never compared. */
  readonly model: string
  readonly dimensions: number
  /**
   * Returns one vector of unit length for each text, in order. A text longer than the model's window is not truncated: its
   * vector is the mean of its windows' vectors, see `windowMean`. A `query` overtakes waiting passages. An abort drops texts
   * that have not been started. Vectors may be shared with other callers: do not change them.
   * @throws SourceError `embedding_failed` if the model or the endpoint fails; the signal's reason after an abort
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]>
  /**
   * Returns how far cosines between texts in a language mean something, 0 to 1: the weight of vectors in a score is multiplied by
   * it. `language` is an ISO 639-1 code, or null if unknown.
   */
  competence(language: string | null): number
  /** Cosine of unrelated texts, which counts as 0 in scores; 0 by default. */
  readonly unrelatedCosine?: number
  /**
   * Starts a model of this machine, unless it runs, and resolves when it can embed queries. Without it, the first query waits for that.
   * @throws Error if the model cannot be loaded
   */
  load?(): Promise<void>
  /** Returns the vector of a query if it is cached. */
  recall?(query: string): Float32Array | undefined
  /** Returns the milliseconds until a query that is submitted now would start, because of others before it; 0 without others. */
  expectedMs?(): number
  close(): Promise<void>
}
