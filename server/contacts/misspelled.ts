/**
 * Returns how many typing errors lie between the words of a search and those of a text; undefined where a word is none of
 * the text's but for a few errors. Numbers admit no error.
 */
export function typingErrors(words: readonly string[], text: string): number | undefined {
  const others = text.split(/[\s|]+/)
  let sum = 0
  for (const word of words) {
    const fewest = text.includes(word) ? 0 : Math.min(...others.map((other) => errorsBetween(word, other)))
    if (fewest > admitted(word)) return undefined
    sum += fewest
  }
  return sum
}

function admitted(word: string): number {
  if (word.length < 3 || /\d/.test(word)) return 0
  return word.length < 6 ? 1 : 2
}

/**
 * Returns the optimal string alignment distance: letters added, left out, mistaken, or swapped with the next one. The first
 * letter is seldom mistyped, so an error there counts double: "Ivan" is not "van".
 */
function errorsBetween(word: string, other: string): number {
  if (Math.abs(word.length - other.length) > admitted(word)) return Number.POSITIVE_INFINITY
  let beforeLast: number[] = []
  let last = [0]
  for (let column = 1; column <= other.length; column += 1) last[column] = column + 1
  for (let row = 1; row <= word.length; row += 1) {
    const current = [row + 1]
    for (let column = 1; column <= other.length; column += 1) {
      const weight = row === 1 && column === 1 ? 2 : 1
      const same = word[row - 1] === other[column - 1]
      let fewest = Math.min(at(last, column - 1) + (same ? 0 : weight), at(last, column) + 1, at(current, column - 1) + 1)
      const swapped = row > 1 && column > 1 && word[row - 1] === other[column - 2] && word[row - 2] === other[column - 1]
      if (swapped) fewest = Math.min(fewest, at(beforeLast, column - 2) + 1)
      current[column] = fewest
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
