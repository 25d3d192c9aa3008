/** The normalised mean of vectors of equal length: the one vector of a text that was embedded in windows. */
export function unitMean(vectors: readonly ArrayLike<number>[]): Float32Array<ArrayBuffer> {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0)
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}
