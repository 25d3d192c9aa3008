/** Returns the cosine similarity of two vectors of unit length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  // `reduce` takes several times as long.
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/**
 * Returns one vector of unit length for a text that was embedded in windows: their mean, the n-th weighted 1/n, since texts
 * begin with their topic. Compared with equal weights, nDCG@10 changed by +.020, +.004, +.001 and -.0004 on four sets, longest
 * texts first.
 */
export function windowMean(windows: readonly ArrayLike<number>[]): Float32Array<ArrayBuffer> {
  const sum = new Float32Array(windows[0]?.length ?? 0)
  for (const [index, window] of windows.entries()) {
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (window[at] ?? 0) / (index + 1)
  }
  let squares = 0
  for (let at = 0; at < sum.length; at++) squares += (sum[at] ?? 0) ** 2
  const length = Math.sqrt(squares)
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) / length
  return sum
}
