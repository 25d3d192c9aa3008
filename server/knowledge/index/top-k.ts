/** Keeps the k items with the highest scores. */
export class TopK<T extends { readonly score: number }> {
  readonly #k: number
  readonly #precedes: (one: T, other: T) => boolean
  readonly #kept: T[] = []
  #minScore: number

  /** @param precedes orders two items with equal scores */
  constructor(k: number, precedes: (one: T, other: T) => boolean) {
    this.#k = k
    this.#precedes = precedes
    this.#minScore = k > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }

  /** Items with a lower score are not kept. */
  get minScore(): number {
    return this.#minScore
  }

  offer(item: T): void {
    if (item.score < this.#minScore) return
    let [low, high] = [0, this.#kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#kept[middle]
      if (other !== undefined && (other.score > item.score || (other.score === item.score && this.#precedes(other, item)))) low = middle + 1
      else high = middle
    }
    this.#kept.splice(low, 0, item)
    if (this.#kept.length > this.#k) this.#kept.pop()
    if (this.#kept.length === this.#k) this.#minScore = this.#kept.at(-1)?.score ?? this.#minScore
  }

  /** Returns the kept items, best first. */
  sorted(): readonly T[] {
    return this.#kept
  }
}
