import type { ChunkingSettings } from './chunk.ts'
import { type Division, type Range, strands } from './divide.ts'
import { repeatedFrom, tokensOf } from './overlap.ts'
import type { Unit } from './units.ts'

/** Packs as many units as fit `size`. Each chunk begins with the last units of the previous chunk that fit `overlap`. */
export function sentenceDivision(units: readonly Unit[], { size, overlap }: ChunkingSettings): Division {
  const division: Range[] = []
  let covered = 0
  while (covered < units.length) {
    const before = division.at(-1)?.[0] ?? 0
    // Reserves space for the first new unit before anything is repeated.
    const from = Math.max(
      before,
      repeatedFrom(units, covered, covered + 1, { size, overlap }, ({ joint }) => joint !== 'section'),
    )
    covered = packed(units, from, covered + 1, size)
    division.push([from, covered])
  }
  return division
}

/** Returns the end of a chunk that starts at `from`, at least `least`, without separating a heading from its content. */
function packed(units: readonly Unit[], from: number, least: number, size: number): number {
  let to = least
  while (to < units.length && tokensOf(units, from, to + 1) <= size) to++
  for (let end = to; end >= least; end--) {
    const before = units[end - 1]
    const unit = units[end]
    if (!before || !unit || !strands(before, unit)) return end
  }
  return to
}
