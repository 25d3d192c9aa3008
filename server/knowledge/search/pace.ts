import { createPace, type Pace } from '../../lib/pace.ts'

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
  search: createPace({ share: 0.97, guessMs: 5 }),
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
