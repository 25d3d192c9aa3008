import { spellingDistance, typingDistance } from '../contacts/name-distance.ts'
import { isKnownGivenName, isSameGivenName } from './given-names.ts'
import { withoutParticles, type NamePart, type PersonName } from './person-name.ts'

/**
 * How the names of two contacts relate:
 * - `same`, also with first and last name swapped
 * - `similar`: a typing error, another spelling, a short form, or only one of several first names
 * - `initial`: one has only the first letter of the first name
 * - `part`: one has only one of the names of the other
 * - `unknown`: one has no name
 * - `other_surname`: the first name is the same
 * - `different`
 */
export type NameRelation = 'same' | 'similar' | 'initial' | 'part' | 'unknown' | 'other_surname' | 'different'

export function compareNames(a: PersonName, b: PersonName): NameRelation {
  const [isPartA, isPartB] = [isPartial(a), isPartial(b)]
  if (isEmpty(a) || isEmpty(b)) return 'unknown'
  if (a.generation !== null && b.generation !== null && a.generation !== b.generation) return 'different'
  // Desks, rooms and lines have one name and other numbers.
  if (a.numbers !== '' && b.numbers !== '' && a.numbers !== b.numbers) return 'different'
  const relation = isPartA || isPartB ? comparePartial(a, b) : compareWhole(a, b)
  // Perhaps a parent with the same name.
  return relation === 'same' && a.generation !== b.generation ? 'similar' : relation
}

const isEmpty = ({ first, last }: PersonName): boolean => first.words.length + last.words.length === 0
const isPartial = ({ first, last }: PersonName): boolean => first.words.length === 0 || last.words.length === 0

function compareWhole(a: PersonName, b: PersonName): NameRelation {
  const straight = joinRelations(compareParts(a.first, b.first, true), compareParts(a.last, b.last, false))
  if (straight === 'same' || straight === 'similar') return straight
  const [first, last] = [compareParts(a.first, b.last, false), compareParts(a.last, b.first, false)]
  const isSwapped = isClose(first) && isClose(last) && (first === 'same' || last === 'same')
  return isSwapped ? (first === last ? 'same' : 'similar') : straight
}

const isClose = (relation: WordRelation): boolean => relation === 'same' || relation === 'similar'

function joinRelations(first: WordRelation, last: WordRelation): NameRelation {
  if (!isClose(last)) return first === 'same' ? 'other_surname' : 'different'
  if (first === 'initial') return 'initial'
  if (first === 'different') return 'different'
  return first === 'same' && last === 'same' ? 'same' : 'similar'
}

/** One of them has a single field: a whole name in it, or only a first or last name. */
function comparePartial(a: PersonName, b: PersonName): NameRelation {
  const [wordsOfA, wordsOfB] = [allWords(a), allWords(b)]
  const [few, many] = wordsOfA.length <= wordsOfB.length ? [wordsOfA, wordsOfB] : [wordsOfB, wordsOfA]
  const relations = few.map((word) => closest(many.map((other) => compareWords(word, other, true))))
  if (!relations.every(isClose)) return 'different'
  if (few.length < 2) return 'part'
  return few.length === many.length && relations.every((relation) => relation === 'same') ? 'same' : 'similar'
}

const allWords = ({ first, last }: PersonName): string[] =>
  [first, last].flatMap(({ words, latin }) => [...withoutParticles(latin[0] ?? words)])

type WordRelation = 'same' | 'similar' | 'initial' | 'different'

const order: readonly WordRelation[] = ['same', 'similar', 'initial', 'different']
const closest = (relations: readonly WordRelation[]): WordRelation => order.find((each) => relations.includes(each)) ?? 'different'
const farthest = (relations: readonly WordRelation[]): WordRelation => order.findLast((each) => relations.includes(each)) ?? 'different'

function compareParts(a: NamePart, b: NamePart, areGiven: boolean): WordRelation {
  const relations: WordRelation[] = [compareLists(a.words, b.words, areGiven)]
  for (const latin of a.latin) relations.push(compareSpellings(latin, b.words))
  for (const latin of b.latin) relations.push(compareSpellings(latin, a.words))
  return closest(relations)
}

function compareLists(a: readonly string[], b: readonly string[], areGiven: boolean): WordRelation {
  const [few, many] = [withoutParticles(a), withoutParticles(b)].toSorted((one, other) => one.length - other.length)
  if (few === undefined || many === undefined || few.length === 0) return 'different'
  if (few.join('') === many.join('')) return 'same'
  const left = [...many]
  const relations = few.map((word): WordRelation => {
    const each = left.map((other) => compareWords(word, other, areGiven))
    const relation = closest(each)
    left.splice(each.indexOf(relation), 1)
    return relation
  })
  const relation = farthest(relations)
  return relation === 'same' && left.length > 0 ? 'similar' : relation
}

/** Compares the Latin spelling of a name in another script with a name. */
function compareSpellings(latin: readonly string[], words: readonly string[]): WordRelation {
  const [spelled, written] = [withoutParticles(latin).join(''), withoutParticles(words).join('')]
  if (spelled === written) return 'same'
  if (latin.some((word) => isSameGivenName(word, written))) return 'similar'
  return spellingDistance(spelled, written) < 1.2 ? 'similar' : 'different'
}

function compareWords(a: string, b: string, areGiven: boolean): WordRelation {
  if (a === b) return 'same'
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length === 1 && long.startsWith(short)) return areGiven ? 'initial' : 'different'
  if (areGiven) {
    if (isSameGivenName(a, b)) return 'similar'
    if (isKnownGivenName(a) && isKnownGivenName(b)) return 'different'
    if (short.length >= 3 && long.startsWith(short) && long.length - short.length >= 3) return 'similar'
    if (differsInGender(a, b)) return 'different'
  }
  if (isSwap(a, b)) return 'similar'
  if (short.length < 4) return 'different'
  const errors = typingDistance(a, b)
  if (errors <= 1 || (errors <= 2 && short.length >= 7)) return 'similar'
  return spellingDistance(a, b) < (areGiven ? 0.5 : 0.7) && a[0] === b[0] ? 'similar' : 'different'
}

/** "Daniel" and "Daniela", "Mario" and "Maria" are not one person. */
function differsInGender(a: string, b: string): boolean {
  const stem = a.slice(0, commonLength(a, b))
  const ends = [a.slice(stem.length), b.slice(stem.length)]
  return stem.length >= 3 && ends.every((end) => /^(?:|a|e|i|o|ie|ia|ina|ine|inne|us|as|ette)$/.test(end))
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

/** Returns whether two neighbouring letters are swapped. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  const at = commonLength(a, b)
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
