import type { Embedder } from './embedder.ts'

/**
 * Returns the embedder with a cache of the last `size` query vectors, since users and agents repeat questions. Passages are not
 * cached. A vector is shared between callers and must not be changed.
 */
export function cachedQueries(embedder: Embedder, size: number): Embedder {
  const vectors = new Map<string, Float32Array>()

  function recall(text: string): Float32Array | undefined {
    const vector = vectors.get(text)
    if (vector) remember(text, vector)
    return vector
  }

  function remember(text: string, vector: Float32Array): void {
    vectors.delete(text)
    vectors.set(text, vector)
    const [oldest] = vectors.keys()
    if (vectors.size > size && oldest !== undefined) vectors.delete(oldest)
  }

  return {
    model: embedder.model,
    dimensions: embedder.dimensions,
    async embed(texts, purpose, signal) {
      if (purpose !== 'query') return embedder.embed(texts, purpose, signal)
      signal?.throwIfAborted()
      const known = texts.map(recall)
      const missing = texts.filter((_, at) => !known[at])
      const found = missing.length > 0 ? await embedder.embed(missing, purpose, signal) : []
      found.forEach((vector, at) => remember(missing[at] ?? '', vector))
      const rest = found.values()
      return known.map((vector) => vector ?? rest.next().value ?? unanswered())
    },
    competence: (language) => embedder.competence(language),
    load: async () => embedder.load?.(),
    recall,
    expectedMs: () => embedder.expectedMs?.() ?? 0,
    close: () => embedder.close(),
  }
}

function unanswered(): never {
  throw new Error('The embedder answered fewer vectors than it was given texts')
}
