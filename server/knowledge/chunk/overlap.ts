import type { ChunkingSettings } from './chunk.ts'
import type { Range } from './divide.ts'
import type { Unit } from './units.ts'

/** Returns a chunk with overlap: if it begins inside a paragraph, it repeats the preceding sentences that fit `overlap`. */
export function withSentencesBefore(units: readonly Unit[], [from, to]: Range, { size, overlap }: ChunkingSettings): Range {
  return [repeatedFrom(units, from, to, { size, overlap }, ({ joint }) => joint === 'sentence'), to]
}

/**
 * Returns the start of a chunk of the units `from` to `to` with overlap: as many whole preceding units as fit `overlap` tokens
 * and the remaining space in `size`, across permitted boundaries only.
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

/** Returns the number of tokens of a range of units, including a repeated table header. */
export function tokensOf(units: readonly Unit[], from: number, to: number): number {
  const first = units[from]
  const last = units[to - 1]
  return first && last ? last.to - first.from + first.headerTokens : 0
}
