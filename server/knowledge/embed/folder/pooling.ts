export const poolings = ['mean', 'cls', 'max', 'lasttoken', 'mean_sqrt_len_tokens'] as const
/** How the vectors of all tokens become one. The names are those of sentence-transformers. */
export type Pooling = (typeof poolings)[number]

/**
 * Returns the vector of a text.
 * @param tokens the vectors of its tokens, one after the other
 * @param size of each
 */
export function pooled(tokens: Float32Array, size: number, pooling: Pooling): Float32Array {
  const count = tokens.length / size
  if (pooling === 'cls') return tokens.slice(0, size)
  if (pooling === 'lasttoken') return tokens.slice(tokens.length - size)
  const vector = new Float32Array(size).fill(pooling === 'max' ? Number.NEGATIVE_INFINITY : 0)
  for (let token = 0; token < count; token++) {
    for (let at = 0; at < size; at++) {
      const value = tokens[token * size + at] ?? 0
      vector[at] = pooling === 'max' ? Math.max(vector[at] ?? 0, value) : (vector[at] ?? 0) + value
    }
  }
  const divisor = pooling === 'mean' ? count : pooling === 'mean_sqrt_len_tokens' ? Math.sqrt(count) : 1
  return vector.map((value) => value / divisor)
}
