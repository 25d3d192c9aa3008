/**
 * Returns by how much the words of a search differ from the most similar words of a contact, 1 for each typing error; undefined if a
 * word has no similar one. Words in another script are compared by their Latin spellings, in which vowels and letters of similar
 * sound count less, because spellings differ in them.
 * @param names words, and behind a bar Latin spellings of words in another script
 */
export function nameDistance(
  words: readonly { readonly word: string; readonly latin: readonly string[] }[],
  names: string,
): number | undefined {
  const [native = [], latin = []] = names.split('|').map((part) => part.split(' ').filter((word) => word !== ''))
  const sum = words.reduce((total, each) => total + wordDistance(each, native, latin), 0)
  const joined = joinedDistance(words, latin)
  const least = Math.min(sum, joined)
  return Number.isFinite(least) ? least : undefined
}

function wordDistance(
  { word, latin }: { readonly word: string; readonly latin: readonly string[] },
  natives: readonly string[],
  latins: readonly string[],
): number {
  if (natives.some((native) => native.startsWith(word))) return natives.includes(word) ? 0 : 0.4
  const typed = Math.min(...natives.map((native) => typingDistance(word, native)))
  if (latin.length === 0) return Math.min(typed, ...latins.map((other) => spellingDistance(word, other)))
  // Typing errors are likelier than another spelling in the same script.
  const spelled = latin.flatMap((query) => [
    ...latins.map((other) => spellingDistance(query, other) + sameScript),
    ...natives.map((native) => spellingDistance(query, native)),
  ])
  return Math.min(typed, ...spelled)
}

const sameScript = 0.8

/** Compares names that divide into words otherwise: "Min Su Kim", "Abdul Rahman". */
function joinedDistance(words: readonly { readonly word: string; readonly latin: readonly string[] }[], latins: readonly string[]): number {
  if (words.length < 2 || latins.length < 2) return Number.POSITIVE_INFINITY
  const query = words.map(({ word, latin }) => latin[0] ?? word).join('')
  const names = latins.slice(0, 2)
  return Math.min(spellingDistance(query, names.join('')), spellingDistance(query, names.toReversed().join(''))) + 0.1
}

/** Returns the number of typing errors between two words; infinite if there are too many for their length. */
export function typingDistance(word: string, other: string): number {
  const max = maxTypingErrors(word)
  if (Math.abs(word.length - other.length) > max) return Number.POSITIVE_INFINITY
  const distance = editDistance(word, other, typing)
  // An error in the first letter counts double, because first letters are seldom mistyped: "Ivan" is not "van".
  const all = word[0] === other[0] || swapsFirst(word, other) ? distance : distance + 1
  return all > max ? Number.POSITIVE_INFINITY : all
}

const swapsFirst = (word: string, other: string): boolean => word[0] === other[1] && word[1] === other[0]

function maxTypingErrors(word: string): number {
  if (/\d/.test(word)) return 0
  if (word.length < 3) return /[\u3400-\u9fff\uac00-\ud7a3]/.test(word) && word.length > 1 ? 1 : 0
  return word.length < 6 ? 1 : 2
}

/** Returns by how much two Latin spellings of a word differ; infinite if they spell another word. */
export function spellingDistance(word: string, other: string): number {
  if (/\d/.test(word) || other === '') return Number.POSITIVE_INFINITY
  const length = Math.max(word.length, other.length)
  const distance = editDistance(soundForm(word), soundForm(other), spelling) + 0.05
  return distance > 0.25 * length + 0.5 ? Number.POSITIVE_INFINITY : distance
}

/** One letter for the groups of letters that spell one sound. */
export const soundForm = (word: string): string =>
  word
    .replaceAll(/tsch|shch|sch|tch/g, 'S')
    .replaceAll(/sh|ch|zh|dj/g, 'S')
    .replaceAll('kh', 'K')
    .replaceAll('ph', 'f')
    .replaceAll(/tz|ts/g, 'Z')
    .replaceAll('th', 't')
    .replaceAll('ck', 'k')
    .replaceAll('x', 'ks')
    .replaceAll(/(.)\1/g, '$1')

interface Costs {
  /** Of a letter that only one of the words has. */
  extra: (letter: string) => number
  replaced: (letter: string, other: string) => number
  readonly swapped: number
}

const typing: Costs = { extra: () => 1, replaced: () => 1, swapped: 0.9 }

const vowels = 'aeiouyw'
const similar = ['kgqcK', 'bpvfw', 'szSZcj', 'dt', 'ijy', 'uwv', 'Khgc', 'lr', 'Sj', 'mn']

const spelling: Costs = {
  extra: (letter) => (letter === 'h' ? 0.2 : vowels.includes(letter) ? 0.3 : 1),
  replaced: (letter, other) => {
    if (vowels.includes(letter) && vowels.includes(other)) return 0.3
    return similar.some((group) => group.includes(letter) && group.includes(other)) ? 0.4 : 1
  },
  swapped: 0.9,
}

/** Returns the optimal string alignment distance: costs of extra, replaced and swapped neighbouring letters. */
function editDistance(word: string, other: string, { extra, replaced, swapped }: Costs): number {
  let beforeLast: number[] = []
  let last = [0]
  for (let column = 1; column <= other.length; column += 1) last[column] = at(last, column - 1) + extra(other[column - 1] ?? '')
  for (let row = 1; row <= word.length; row += 1) {
    const letter = word[row - 1] ?? ''
    const current = [at(last, 0) + extra(letter)]
    for (let column = 1; column <= other.length; column += 1) {
      const opposite = other[column - 1] ?? ''
      let min = Math.min(
        at(last, column - 1) + (letter === opposite ? 0 : replaced(letter, opposite)),
        at(last, column) + extra(letter),
        at(current, column - 1) + extra(opposite),
      )
      const areSwapped = row > 1 && column > 1 && letter === other[column - 2] && word[row - 2] === opposite
      if (areSwapped) min = Math.min(min, at(beforeLast, column - 2) + swapped)
      current[column] = min
    }
    beforeLast = last
    last = current
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
