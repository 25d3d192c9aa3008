/** Where the first one that is not less than the value stands, between `from` and `to` (exclusive); `to` where all are less. */
export function firstNotLess(ascending: Int32Array | Float64Array, value: number, from = 0, to = ascending.length): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
