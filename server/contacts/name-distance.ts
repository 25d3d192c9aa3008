/** A word of a search, and Latin spellings of a word in another script. */
interface SearchedWord {
  readonly word: string
  readonly latin: readonly string[]
}

/** Words of a contact, and Latin spellings of words in another script. */
interface Names {
  readonly natives: readonly string[]
  readonly latins: readonly string[]
}

/**
 * Returns a function of the words of a contact, and behind a bar Latin spellings of words in another script. It returns by how much the
 * words of a search differ from the most similar ones of the contact, 1 for each typing error; undefined if a word has no similar one.
 * Words in another script are compared by their Latin spellings, in which vowels and letters of similar sound count less, because
 * spellings differ in them.
 */
export function nameDistances(words: readonly SearchedWord[]): (names: string) => number | undefined {
  const wordDistances = words.map(wordDistancesOf)
  const joined = joinedDistances(words)
  return (names) => {
    const [natives = [], latins = []] = names.split('|').map((part) => part.split(' ').filter((word) => word !== ''))
    const sum = wordDistances.reduce((total, distanceTo) => total + distanceTo({ natives, latins }), 0)
    const least = Math.min(sum, joined(latins))
    return Number.isFinite(least) ? least : undefined
  }
}

type WordDistance = (other: string) => number

function wordDistancesOf({ word, latin }: SearchedWord): (names: Names) => number {
  const typed = remembered((native) => typingDistance(word, native))
  const ownScript = remembered((other) => spellingDistance(word, other))
  // Typing errors are likelier than another spelling in the same script.
  const spelledLatins = remembered((other) => least(latin, (query) => spellingDistance(query, other)) + sameScript)
  const spelledNatives = remembered((native) => least(latin, (query) => spellingDistance(query, native)))
  return ({ natives, latins }) => {
    if (natives.some((native) => native.startsWith(word))) return natives.includes(word) ? 0 : 0.4
    if (latin.length === 0) return Math.min(least(natives, typed), least(latins, ownScript))
    return Math.min(least(natives, typed), least(latins, spelledLatins), least(natives, spelledNatives))
  }
}

const sameScript = 0.8

/** The contacts that a search is compared with have many words in common. */
function remembered(distanceTo: WordDistance): WordDistance {
  const distances = new Map<string, number>()
  return (other) => {
    const known = distances.get(other)
    if (known !== undefined) return known
    const distance = distanceTo(other)
    distances.set(other, distance)
    return distance
  }
}

const least = (words: readonly string[], distanceTo: WordDistance): number =>
  words.reduce((min, word) => Math.min(min, distanceTo(word)), Number.POSITIVE_INFINITY)

/** Compares names that divide into words otherwise: "Min Su Kim", "Abdul Rahman". */
function joinedDistances(words: readonly SearchedWord[]): (latins: readonly string[]) => number {
  const query = words.map(({ word, latin }) => latin[0] ?? word).join('')
  return (latins) => {
    if (words.length < 2 || latins.length < 2) return Number.POSITIVE_INFINITY
    const [first = '', second = ''] = latins
    return Math.min(spellingDistance(query, first + second), spellingDistance(query, second + first)) + 0.1
  }
}

/** Returns the number of typing errors between two words; infinite if there are too many for their length. */
export function typingDistance(word: string, other: string): number {
  const max = maxTypingErrors(word)
  if (Math.abs(word.length - other.length) > max) return Number.POSITIVE_INFINITY
  const distance = editDistance(word, other, typing, max)
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
  const max = 0.25 * Math.max(word.length, other.length) + 0.5
  const distance = editDistance(soundForm(word), soundForm(other), spelling, max) + 0.05
  return distance > max ? Number.POSITIVE_INFINITY : distance
}

/** One letter for the groups of letters that spell one sound. */
export const soundForm = (word: string): string =>
  hasGroups.test(word)
    ? word
        .replaceAll(/tsch|shch|sch|tch/g, 'S')
        .replaceAll(/sh|ch|zh|dj/g, 'S')
        .replaceAll('kh', 'K')
        .replaceAll('ph', 'f')
        .replaceAll(/tz|ts/g, 'Z')
        .replaceAll('th', 't')
        .replaceAll('ck', 'k')
        .replaceAll('x', 'ks')
        .replaceAll(/(.)\1/g, '$1')
    : word

const hasGroups = /[hx]|dj|t[sz]|ck|(.)\1/

interface Costs {
  /** Of a letter that only one of the words has, by its code. */
  extra: (letter: number) => number
  replaced: (letter: number, other: number) => number
  readonly swapped: number
}

const typing: Costs = { extra: () => 1, replaced: () => 1, swapped: 0.9 }

const vowels = 'aeiouyw'
const similar = ['kgqcK', 'bpvfw', 'szSZcj', 'dt', 'ijy', 'uwv', 'Khgc', 'lr', 'Sj', 'mn']

/** The costs of ASCII letters. All others cost 1. */
const letters = Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code))
const extraCosts = letters.map((letter) => (letter === 'h' ? 0.2 : vowels.includes(letter) ? 0.3 : 1))
const replacedCosts = letters.map((letter) => letters.map((other) => replacedCost(letter, other)))

function replacedCost(letter: string, other: string): number {
  if (vowels.includes(letter) && vowels.includes(other)) return 0.3
  return similar.some((group) => group.includes(letter) && group.includes(other)) ? 0.4 : 1
}

const spelling: Costs = {
  extra: (letter) => extraCosts[letter] ?? 1,
  replaced: (letter, other) => replacedCosts[letter]?.[other] ?? 1,
  swapped: 0.9,
}

/**
 * Returns the optimal string alignment distance: costs of extra, replaced and swapped neighbouring letters; infinite if it is more than
 * `max`.
 */
function editDistance(word: string, other: string, { extra, replaced, swapped }: Costs, max: number): number {
  let beforeLast: number[] = []
  let last = [0]
  let lastMin = 0
  for (let column = 1; column <= other.length; column += 1) last.push(at(last, column - 1) + extra(other.charCodeAt(column - 1)))
  for (let row = 1; row <= word.length; row += 1) {
    const letter = word.charCodeAt(row - 1)
    const current = [at(last, 0) + extra(letter)]
    let currentMin = at(current, 0)
    for (let column = 1; column <= other.length; column += 1) {
      const opposite = other.charCodeAt(column - 1)
      let min = Math.min(
        at(last, column - 1) + (letter === opposite ? 0 : replaced(letter, opposite)),
        at(last, column) + extra(letter),
        at(current, column - 1) + extra(opposite),
      )
      const areSwapped = row > 1 && letter === other.charCodeAt(column - 2) && word.charCodeAt(row - 2) === opposite
      if (areSwapped) min = Math.min(min, at(beforeLast, column - 2) + swapped)
      current.push(min)
      currentMin = Math.min(currentMin, min)
    }
    // A later row is at least one of these two, because of swapped letters.
    if (Math.min(lastMin, currentMin) > max) return Number.POSITIVE_INFINITY
    beforeLast = last
    last = current
    lastMin = currentMin
  }
  return at(last, other.length)
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY
