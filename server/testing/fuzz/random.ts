/** A seeded random number generator (mulberry32). */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number
  /** Returns an integer from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number
  chance(share: number): boolean
  pick<T>(from: readonly [T, ...T[]] | readonly T[]): T
}

export function random(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    chance: (share) => next() < share,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error('there is nothing to pick from')
      return from[integer(0, from.length - 1)] as T
    },
  }
}
