/** A prediction and its truth. */
export interface Judged {
  readonly confidence: number
  readonly answerable: boolean
}

/** A bin of a reliability diagram. */
export interface Bin {
  readonly count: number
  readonly meanConfidence: number
  readonly answerable: number
}

/** Returns the probability that an answerable question has a higher confidence than an unanswerable one. */
export function areaUnderCurve(judged: readonly Judged[]): number {
  const sorted = judged.toSorted((one, other) => one.confidence - other.confidence)
  let [ranks, answerable] = [0, 0]
  for (let from = 0; from < sorted.length;) {
    let to = from
    while (to < sorted.length && sorted[to]?.confidence === sorted[from]?.confidence) to += 1
    const positive = sorted.slice(from, to).filter((each) => each.answerable).length
    ranks += (positive * (from + to + 1)) / 2
    answerable += positive
    from = to
  }
  return (ranks - (answerable * (answerable + 1)) / 2) / (answerable * (sorted.length - answerable))
}

/** Returns ten bins of equal width by confidence. */
export function reliability(judged: readonly Judged[]): Bin[] {
  return Array.from({ length: 10 }, (_, bin) => {
    const of = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin)
    const mean = (value: (each: Judged) => number): number => of.reduce((sum, each) => sum + value(each), 0) / Math.max(of.length, 1)
    return { count: of.length, meanConfidence: mean(({ confidence }) => confidence), answerable: mean((each) => Number(each.answerable)) }
  })
}

/** Returns the expected calibration error: the mean distance of confidence and truth over the bins. */
export const calibrationError = (judged: readonly Judged[]): number =>
  reliability(judged).reduce((sum, { count, meanConfidence, answerable }) => sum + count * Math.abs(meanConfidence - answerable), 0) /
  judged.length

/** Returns the share of the questions, answerable or not, with a confidence below one half. */
export function removed(judged: readonly Judged[], answerable: boolean): number {
  const of = judged.filter((each) => each.answerable === answerable)
  return of.filter(({ confidence }) => confidence < 0.5).length / of.length
}
