/** The `most` best of what is offered. */
export class BestOf<T extends { readonly score: number }> {
  readonly #most: number
  readonly #before: (one: T, other: T) => boolean
  readonly #kept: T[] = []
  #least: number

  /** @param before which of two with equal scores comes first */
  constructor(most: number, before: (one: T, other: T) => boolean) {
    this.#most = most
    this.#before = before
    this.#least = most > 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  }

  /** A lower score is not kept. */
  get least(): number {
    return this.#least
  }

  offer(one: T): void {
    if (one.score < this.#least) return
    let [low, high] = [0, this.#kept.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#kept[middle]
      if (other !== undefined && (other.score > one.score || (other.score === one.score && this.#before(other, one)))) low = middle + 1
      else high = middle
    }
    this.#kept.splice(low, 0, one)
    if (this.#kept.length > this.#most) this.#kept.pop()
    if (this.#kept.length === this.#most) this.#least = this.#kept.at(-1)?.score ?? this.#least
  }

  sorted(): readonly T[] {
    return this.#kept
  }
}
