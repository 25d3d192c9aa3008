/** Where the first one that is not less than the value stands; where all are less, how many there are. */
export function firstNotLess(ascending: Int32Array | Float64Array, value: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
