/** Returns the first index in `from`..`to` (exclusive) whose value is not less than `value`; `to` when there is none. */
export function lowerBound(ascending: Int32Array | Uint32Array | Float64Array, value: number, from = 0, to = ascending.length): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
