interface Kept<T> {
  readonly answer: Promise<T>
  /** By `performance.now()`; infinite while it is worked out. */
  until: number
}

/**
 * Keeps a large answer for `rest` times as long as it took to work out, so that who asks often takes no more than that
 * share of the time; others are worked out each time. Who asks meanwhile gets the same answer.
 * @returns a function of the place that answers, of a key for what is asked there, and of the way to work it out
 */
export function adaptiveCache<T>({ isLarge, rest }: { isLarge: (answer: T) => boolean; rest: number }) {
  const places = new WeakMap<object, Map<string, Kept<T>>>()

  function begin(answers: Map<string, Kept<T>>, key: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    for (const [other, { until }] of answers) if (until <= startedAt) answers.delete(other)
    const kept: Kept<T> = { answer: timed(), until: Infinity }
    answers.set(key, kept)
    return kept.answer

    async function timed(): Promise<T> {
      try {
        const answer = await work()
        const now = performance.now()
        kept.until = isLarge(answer) ? now + rest * (now - startedAt) : 0
        return answer
      } catch (error) {
        kept.until = 0
        throw error
      }
    }
  }

  return (place: object, key: string, work: () => Promise<T>): Promise<T> => {
    const answers = places.get(place) ?? new Map<string, Kept<T>>()
    places.set(place, answers)
    const kept = answers.get(key)
    return kept !== undefined && performance.now() < kept.until ? kept.answer : begin(answers, key, work)
  }
}
