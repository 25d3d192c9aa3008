/** Random choices that are the same for the same seed. */
export interface Random {
  /** Returns an integer from 0 to below the limit. */
  below: (limit: number) => number
  chance: (probability: number) => boolean
  of: <T>(values: readonly T[]) => T
}

/** Returns a generator of the type mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    of: (values) => {
      const value = values[below(values.length)]
      if (value === undefined) throw new Error('There is nothing to choose from.')
      return value
    },
  }
}
