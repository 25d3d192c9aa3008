/** How long something has taken of late in this program. */
export interface Pace {
  note(ms: number): void
  /** What the given share of the last fifty times stayed below; a guess before the first. */
  usualMs(): number
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
