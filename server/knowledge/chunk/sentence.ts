import type { ChunkingSettings } from './chunk.ts'
import { type Division, type Range, strands } from './divide.ts'
import { repeatedFrom, tokensOf } from './overlap.ts'
import type { Unit } from './units.ts'

/** As many units as `size` holds, each chunk beginning with the last ones of the chunk before that `overlap` holds. */
export function sentenceDivision(units: readonly Unit[], { size, overlap }: ChunkingSettings): Division {
  const division: Range[] = []
  let covered = 0
  while (covered < units.length) {
    const before = division.at(-1)?.[0] ?? 0
    // The first unit that is new has its place before anything is repeated.
    const from = Math.max(
      before,
      repeatedFrom(units, covered, covered + 1, { size, overlap }, ({ joint }) => joint !== 'section'),
    )
    covered = packed(units, from, covered + 1, size)
    division.push([from, covered])
  }
  return division
}

/** The end of a chunk from `from`, at least `least`, that leaves no heading behind what it heads. */
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
