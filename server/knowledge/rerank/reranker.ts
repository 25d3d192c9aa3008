/** Reads a question and passages together, and tells how well each answers it. */
export interface Reranker {
  /**
   * The relevance of each document to the query, 0 to 1, in the order of the documents; each depends on its own document alone.
   * @throws RerankError when the endpoint cannot answer or is late; the signal's reason after an abort
   */
  rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]>
}

export class RerankError extends Error {
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean

  constructor(message: string, { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryable = retryable
  }
}
