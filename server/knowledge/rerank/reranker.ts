/** A cross-encoder: scores how well each passage answers a question. */
export interface Reranker {
  /** Name of the model, if it is known. */
  readonly model?: string | undefined
  /**
   * Returns the relevance of each document to the query, 0 to 1, in order; each depends on its own document only.
   * @throws RerankError if the endpoint fails or is late; the signal's reason after an abort
   */
  rerank(query: string, documents: readonly string[], signal: AbortSignal): Promise<number[]>
  close?(): Promise<void>
}

/** Maximum length of a document in characters. The rest is cut off. */
export const maxDocumentLength = 8000

/** Replaces lone surrogates: they have no UTF-8 encoding, and many models and servers cannot read them. */
export const wellFormed = (text: string): string => Buffer.from(text).toString()

export class RerankError extends Error {
  /** Whether the same request may succeed later. */
  readonly retryable: boolean

  constructor(message: string, { retryable = false, cause }: { retryable?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryable = retryable
  }
}
