/** How long something has taken of late in this program. */
export interface Pace {
  note(ms: number): void
  /** What the given share of the last fifty times stayed below; a guess before the first. */
  usualMs(): number
}

/**
 * Of searches, from the passages that are looked for to those that are found; of how late answers with a budget were; and of
 * the turns of the event loop, which a request may have to wait for before it is seen.
 */
export interface SearchPaces {
  readonly search: Pace
  readonly overrun: Pace
  readonly turn: Pace
}

export const createSearchPaces = (): SearchPaces => ({
  search: createPace({ share: 0.9, guessMs: 5 }),
  overrun: createPace({ share: 0.98, guessMs: 1 }),
  turn: createPace({ share: 0.9, guessMs: 0 }),
})

/** Notes how long the next turn of the event loop takes: it does not rest while an immediate waits, so that is work alone. */
export function noteTurn(pace: Pace): void {
  setImmediate(() => {
    const began = performance.now()
    setImmediate(() => pace.note(performance.now() - began))
  })
}

const remembered = 50

/** A quantile and not a mean: one search that has to read its index first says nothing of the next. */
export function createPace({ share, guessMs }: { share: number; guessMs: number }): Pace {
  const latest: number[] = []
  let next = 0
  let usual: number | undefined
  return {
    note(ms) {
      usual = undefined
      latest[next] = ms
      next = (next + 1) % remembered
    },
    usualMs() {
      usual ??= latest.toSorted((a, b) => a - b)[Math.floor(latest.length * share)] ?? guessMs
      return usual
    },
  }
}
