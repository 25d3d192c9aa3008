import type { Unit } from './units.ts'

/** The cost function of a division: the sum over its chunks and cuts is minimized. */
export interface Costs {
  /** Cost of a chunk by its tokens. */
  chunk(tokens: number): number
  /** Cost of a cut before a unit; negative for a preferred cut. */
  cut(unit: Unit, position: number): number
}

/** From the first unit, inclusive, to the second, exclusive. */
export type Range = readonly [from: number, to: number]

/** Chunks as ranges of units, in order. */
export type Division = readonly Range[]

/** Cost of separating a heading from its content: only paid when they do not fit together. */
const STRANDED = 100

/** Limits the search when thousands of one-token units fit a chunk. */
const MAX_UNITS = 512

/**
 * Returns the division with the least cost into chunks of at most `budget` tokens, by dynamic programming. A chunk that spans
 * several sections contains each of them whole, and only one section with its subsections, or siblings under one parent. A
 * heading without text of its own stays with its successor in any case.
 */
export function divide(units: readonly Unit[], budget: number, costs: Costs): Division {
  const least = new Float64Array(units.length + 1).fill(Infinity)
  const previous = new Int32Array(units.length + 1)
  const cuts = units.map((unit, position) => {
    const before = units[position - 1]
    if (!before) return 0
    return strands(before, unit) ? STRANDED : costs.cut(unit, position)
  })
  least[0] = 0
  for (let to = 1; to <= units.length; to++) {
    const end = units[to - 1]?.to ?? 0
    const whole = to === units.length || units[to]?.joint === 'section'
    let shared = Infinity
    for (let from = to - 1; from >= 0 && to - from <= MAX_UNITS; from--) {
      const unit = units[from]
      const next = from + 1 < to ? units[from + 1] : undefined
      if (!unit || (next && end - unit.from > budget)) break
      if (next && next.section !== unit.section) shared = Math.min(shared, next.section.shared)
      const several = shared < Infinity
      if (several && !whole && unit.kind !== 'heading') break
      if (several && (shared < unit.section.path.length - 1 || (from > 0 && unit.joint !== 'section'))) continue
      const tokens = end - unit.from + unit.headerTokens
      if (next && tokens > budget) continue
      const cost = (least[from] ?? 0) + (cuts[from] ?? 0) + costs.chunk(tokens)
      if (cost < (least[to] ?? Infinity)) {
        least[to] = cost
        previous[to] = from
      }
    }
  }
  const division: Range[] = []
  for (let to = units.length; to > 0; to = previous[to] ?? 0) division.push([previous[to] ?? 0, to])
  return division.toReversed()
}

/** Returns whether a cut between the two units would separate a heading, or a table header, from the second unit. */
export function strands(before: Unit, unit: Unit): boolean {
  if (before.kind === 'heading') return unit.section === before.section || unit.section.shared >= before.section.path.length
  return unit.header !== null && before.start === unit.header.start
}
