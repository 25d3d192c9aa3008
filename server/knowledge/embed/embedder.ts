/** What a text is embedded for; some models want a prefix that says so. */
export type EmbeddingPurpose = 'query' | 'passage'

/** Texts to unit-length vectors. One interface for the bundled model and for a remote endpoint. */
export interface Embedder {
  /** Stored with every vector as `model@weights/precision`; two models never mix in one index. */
  readonly model: string
  readonly dimensions: number
  /**
   * One unit-length vector a text, in order. A text longer than the model's window is not cut short: its vector is the
   * mean of its windows' vectors, see `windowMean`. A `query` overtakes waiting passages.
   * An abort drops what is not begun. Vectors may be shared with other callers: do not change them.
   * @throws SourceError `embedding_failed` when the model or the endpoint cannot answer; the signal's reason after an abort
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]>
  /** The vector of a query, where it is there without any work. */
  recall?(query: string): Float32Array | undefined
  /** Milliseconds until a query that is asked now would have its vector, because others are before it; 0 where none are. */
  expectedMs?(): number
  close(): Promise<void>
}
