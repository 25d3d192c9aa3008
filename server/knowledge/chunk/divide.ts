import type { Unit } from './units.ts'

/** What a division of units into chunks is judged by: the sum of the costs of its chunks and of its cuts is least. */
export interface Costs {
  /** Of a chunk of so many tokens. */
  chunk(tokens: number): number
  /** Of a cut before a unit; below 0 where a cut is wanted for itself. */
  cut(unit: Unit, position: number): number
}

/** Units from the first, inclusive, to the second, exclusive. */
export type Range = readonly [from: number, to: number]

/** Chunks as ranges of units, in order. */
export type Division = readonly Range[]

/** A heading is torn from what it heads only where they do not fit together. */
const STRANDED = 100

/** Bounds the search where thousands of units of one token would fit a chunk. */
const MOST_UNITS = 512

/**
 * The division of least cost into chunks of at most `budget` tokens, by dynamic programming over all of them. A chunk
 * that spans several sections holds each of them whole, and no more than one with its subsections or neighbours under
 * one parent; but a heading without text of its own stays with what follows it, whole or not.
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
    for (let from = to - 1; from >= 0 && to - from <= MOST_UNITS; from--) {
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

/** Whether a cut between the two would leave behind a heading, or a table's header, to which the second unit belongs. */
export function strands(before: Unit, unit: Unit): boolean {
  if (before.kind === 'heading') return unit.section === before.section || unit.section.shared >= before.section.path.length
  return unit.header !== null && before.start === unit.header.start
}
