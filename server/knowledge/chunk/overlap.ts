import type { ChunkingSettings } from './chunk.ts'
import type { Division } from './divide.ts'
import type { Unit } from './units.ts'

/** A division in which a chunk that begins inside a paragraph repeats the sentences before it that `overlap` holds. */
export function withSentencesBefore(units: readonly Unit[], division: Division, { size, overlap }: ChunkingSettings): Division {
  return division.map(([from, to]) => [repeatedFrom(units, from, to, { size, overlap }, ({ joint }) => joint === 'sentence'), to])
}

/**
 * Where a chunk of the units `from` to `to` begins when it repeats what comes before: whole units, as many as `overlap`
 * tokens and the room that is left in `size` hold, as long as the boundary crossed is one that may be.
 */
export function repeatedFrom(
  units: readonly Unit[],
  from: number,
  to: number,
  { size, overlap }: { readonly size: number; readonly overlap: number },
  crosses: (unit: Unit) => boolean,
): number {
  let start = from
  while (start > 0) {
    const unit = units[start]
    if (!unit || !crosses(unit) || tokensOf(units, start - 1, from) > overlap || tokensOf(units, start - 1, to) > size) break
    start--
  }
  return start
}

/** Tokens of the text of a range of units, with the table header that is repeated before it. */
export function tokensOf(units: readonly Unit[], from: number, to: number): number {
  const first = units[from]
  const last = units[to - 1]
  return first && last ? last.to - first.from + first.headerTokens : 0
}
