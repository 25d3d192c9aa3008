/**
 * Returns the most similar known word, with at most two typing errors and less than half of the word changed; undefined if
 * there is none.
 */
export function suggestion(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((candidate) => ({ candidate, slips: editDistance(word.toLowerCase(), candidate) }))
    .filter(({ candidate, slips }) => slips <= 2 && slips * 2 < Math.max(3, candidate.length))
  return near.toSorted((a, b) => a.slips - b.slips)[0]?.candidate
}

/** Returns the edit distance with transpositions (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    rows.push([row])
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const slips = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + same]
      rows[row]?.push(Math.min(...slips, ...(swapped ? [at(row - 2, column - 2) + 1] : [])))
    }
  }
  return at(a.length, b.length)
}
