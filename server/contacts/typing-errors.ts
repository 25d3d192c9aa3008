/**
 * Returns the number of typing errors between the words of a search and the words of a text; undefined if a word differs from
 * every word of the text by more errors than its length allows. Words with digits must match exactly.
 */
export function countTypingErrors(words: readonly string[], text: string): number | undefined {
  const others = text.split(/[\s|]+/)
  let sum = 0
  for (const word of words) {
    const min = text.includes(word) ? 0 : Math.min(...others.map((other) => editDistance(word, other)))
    if (min > maxErrors(word)) return undefined
    sum += min
  }
  return sum
}

function maxErrors(word: string): number {
  if (word.length < 3 || /\d/.test(word)) return 0
  return word.length < 6 ? 1 : 2
}

/**
 * Returns the optimal string alignment distance: insertions, deletions, substitutions and transpositions of neighbouring
 * letters. An error in the first letter counts double, because first letters are seldom mistyped: "Ivan" is not "van".
 */
function editDistance(word: string, other: string): number {
  if (Math.abs(word.length - other.length) > maxErrors(word)) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = [0]
  for (let column = 1; column <= other.length; column += 1) last[column] = column + 1
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row + 1]
    for (let column = 1; column <= other.length; column += 1) {
      const weight = row === 1 && column === 1 ? 2 : 1
      const same = word[row - 1] === other[column - 1]
      let min = Math.min(at(last, column - 1) + (same ? 0 : weight), at(last, column) + 1, at(current, column - 1) + 1)
      const swapped = row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      if (swapped) min = Math.min(min, at(beforeLast, column - 2) + 1)
      current[column] = min
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
