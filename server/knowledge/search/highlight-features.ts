import { answerKinds, wordKinds } from './answer-type.ts'
import { pairOf, similarWord, type PreparedQuestion } from './highlight-question.ts'
import type { PassageUnit } from './passage-units.ts'
import { stopWord } from './passage-words.ts'

/** A unit of a passage and the words of the question in it. */
interface MatchedUnit {
  readonly text: string
  readonly kind: PassageUnit['kind']
  /** Its words in the list of the question: from `first` on. */
  readonly first: number
  readonly wordCount: number
  /** Positions of each content word of the question, by number; undefined if it does not occur. */
  readonly positions: readonly (readonly number[] | undefined)[]
  /** Content words of the question of which a similar term occurs. */
  readonly similar: ReadonlySet<number>
  /** Content words of the question in the header row of the table. */
  readonly inHeader: ReadonlySet<number>
  /** For each word, 1 if it is absent from the question. */
  readonly isNew: Uint8Array
  /** Neighbouring words that are neighbours in the question too. */
  readonly pairs: number
}

/**
 * Properties of a unit, between 0 and about 1; 0 for one that it lacks. Shares are of the weight of all words of the question.
 * One literal creates them, because spreading objects took most of the time.
 */
const noFeatures = () => ({
  /** Share of the words in the unit; `rareCovered` also weights them by their rarity in the passage, `frequency` by BM25. */
  covered: 0,
  rareCovered: 0,
  frequency: 0,
  /** Number of words in the unit, relative to all. */
  count: 0,
  /** Share of the words that occur in no other unit. */
  unique: 0,
  /** 1 if the unit has every word. */
  all: 0,
  /** Share of the words of which only a similar one is in the unit. */
  similar: 0,
  /** Shares of names, of numbers, of the word after the question word, and of words of the headings, in the unit. */
  capitalized: 0,
  numeric: 0,
  focus: 0,
  titled: 0,
  /** Neighbouring words that are neighbours in the question too: up to six, divided by six. */
  pairs: 0,
  /** Share of missing words in the sentence before; `previousOfPronoun` if the unit begins with a pronoun. */
  previous: 0,
  previousOfPronoun: 0,
  /** Shares of missing words in the sentence after, in the header row of the table, and in the headings. */
  next: 0,
  header: 0,
  heading: 0,
  isHeading: 0,
  isQuestion: 0,
  /** `…Asked`: the unit has new words of the kind that the question asks for. `…Near`: share of the words near the best of them. */
  numberAsked: 0,
  measureAsked: 0,
  numberNear: 0,
  timeAsked: 0,
  timeNear: 0,
  personAsked: 0,
  personNear: 0,
  placeAsked: 0,
  placeNear: 0,
  reasonAsked: 0,
  nameNear: 0,
  quoted: 0,
  /** As `nameNear`, for a question whose words do not tell what it asks for. */
  untypedNear: 0,
})

type MutableFeatures = ReturnType<typeof noFeatures>
export type Features = Readonly<MutableFeatures>

/** The passage that units are parts of. `headings` are the title and the headings above it. */
interface Passage {
  readonly text: string
  readonly units: readonly PassageUnit[]
  readonly headings: string
}

/** Returns the features of each unit of a passage. */
export function highlightFeatures(question: PreparedQuestion, { text, units: spans, headings }: Passage): Features[] {
  const headerWords = new Map<string, ReadonlySet<number>>()
  const { words } = question
  words.length = 0
  const units = spans.map((unit) => matchUnit(question, text, unit, headerWords))
  const inHeadings = numbersIn(question, headings)
  const weights = question.weights.map((weight) => weight / question.totalWeight)
  const unitsWith = weights.map((_, number) => units.filter((unit) => has(unit, number)).length)
  const rarity = unitsWith.map((count) => (count === 0 ? 0 : Math.log(1 + (units.length - count + 0.5) / (count + 0.5))))
  const occurring = weights.reduce((sum, weight, number) => ((unitsWith[number] ?? 0) > 0 ? sum + weight : sum), 0) || 1
  const totalRarity = weights.reduce((sum, weight, number) => sum + weight * (rarity[number] ?? 0), 0) || 1

  return units.map((unit, at) => {
    const [before, after] = unit.kind === 'row' ? [undefined, undefined] : [units[at - 1], units[at + 1]]
    const features = noFeatures()
    for (let number = 0; number < weights.length; number++) {
      const weight = weights[number] ?? 0
      const occurrences = unit.positions[number]?.length ?? 0
      if (occurrences > 0) {
        features.count += 1 / weights.length
        features.covered += weight
        features.rareCovered += (weight * (rarity[number] ?? 0)) / totalRarity
        features.frequency += (weight * occurrences) / (occurrences + normOf(unit)) / occurring
        if (unitsWith[number] === 1) features.unique += weight
        if (question.capitalized.has(number)) features.capitalized += weight
        if (question.numeric.has(number)) features.numeric += weight
        if (question.focus.has(number)) features.focus += weight
        if (inHeadings.has(number)) features.titled += weight
        continue
      }
      if (inHeadings.has(number)) features.heading += weight
      if (unit.similar.has(number)) {
        features.similar += weight
        continue
      }
      if (has(before, number)) features.previous += weight
      if (has(after, number)) features.next += weight
      if (unit.inHeader.has(number)) features.header += weight
    }
    if (features.covered > 0.999) features.all = 1
    if (unit.wordCount > 0 && ((words.kinds[unit.first] ?? 0) & wordKinds.pronoun) !== 0) features.previousOfPronoun = features.previous
    features.pairs = Math.min(unit.pairs, 6) / 6
    features.isHeading = unit.kind === 'heading' ? 1 : 0
    features.isQuestion = /[?？؟]["'”’»)]*$/u.test(unit.text) ? 1 : 0
    addTypeFeatures(features, question, unit, weights)
    return features
  })
}

const has = (unit: MatchedUnit | undefined, number: number): boolean => unit?.positions[number] !== undefined

/** Returns the length norm of BM25 (k1 .9, b .4), with a mean length of 25 words. */
const normOf = ({ wordCount }: MatchedUnit): number => 0.9 * (0.6 + (0.4 * wordCount) / 25)

function numbersIn({ vocabulary, words, numbers, weights }: PreparedQuestion, text: string): ReadonlySet<number> {
  const found = new Set<number>()
  const first = words.length
  vocabulary.read(text, 0, text.length, words)
  for (let at = first; at < words.length; at++) {
    const term = words.terms[at] ?? 0
    for (const each of term > 0 ? [term] : vocabulary.termsOf(term)) {
      const number = numbers.get(each)
      if (number !== undefined && number < weights.length) found.add(number)
    }
  }
  words.length = first
  return found
}

const none: ReadonlySet<number> = new Set()

function matchUnit(
  question: PreparedQuestion,
  text: string,
  { start, end, kind, header }: PassageUnit,
  headerWords: Map<string, ReadonlySet<number>>,
): MatchedUnit {
  const { vocabulary, numbers, words } = question
  const first = words.length
  vocabulary.read(text, start, end, words)
  const wordCount = words.length - first
  const positions: (number[] | undefined)[] = Array.from({ length: question.weights.length })
  let similar: Set<number> | undefined
  const isNew = new Uint8Array(wordCount)
  let [pairs, last] = [0, -1]
  /** Returns whether the question contains the term. */
  const match = (term: number, position: number): boolean => {
    const number = numbers.get(term)
    if (number !== undefined) {
      if (last >= 0 && question.pairs.has(pairOf(last, number))) pairs += 1
      if (number < positions.length) (positions[number] ??= []).push(position)
    }
    last = number ?? -1
    return number !== undefined
  }
  for (let position = 0; position < wordCount; position++) {
    const term = words.terms[first + position] ?? 0
    const isOwn = term > 0 ? match(term, position) : vocabulary.termsOf(term).filter((each) => match(each, position)).length > 0
    if (isOwn) continue
    isNew[position] = 1
    const alike = similarWord(question, words.prefixes[first + position] ?? 0, term)
    if (alike !== undefined) (similar ??= new Set()).add(alike)
  }
  const head = header === null ? '' : text.slice(header.start, header.end)
  let inHeader = headerWords.get(head)
  if (inHeader === undefined) headerWords.set(head, (inHeader = numbersIn(question, head)))
  return { text: text.slice(start, end), kind, first, wordCount, positions, similar: similar ?? none, inHeader, isNew, pairs }
}

/** Weight of a word of the question, by its distance in words. */
const decay = Array.from({ length: 40 }, (_, distance) => Math.exp(-distance / 6))

/** Returns the share of the words of the question near a position, which falls with their distance. */
function nearness(positions: readonly (readonly number[] | undefined)[], position: number, weights: readonly number[]): number {
  let sum = 0
  for (let number = 0; number < positions.length; number++) {
    const occurrences = positions[number]
    if (occurrences === undefined) continue
    let distance = decay.length
    for (const other of occurrences) distance = Math.min(distance, Math.abs(other - position))
    sum += (weights[number] ?? 0) * (decay[distance] ?? 0)
  }
  return sum
}

function addTypeFeatures(
  features: MutableFeatures,
  { types, words }: PreparedQuestion,
  { first, wordCount, isNew, positions, text }: MatchedUnit,
  weights: readonly number[],
): void {
  const found = {
    number: 0,
    numberNear: 0,
    measure: /[%$€£¥]/.test(text) ? 1 : 0,
    time: 0,
    timeNear: 0,
    names: 0,
    nameNear: 0,
    placeNear: 0,
    reason: 0,
  }
  const kindsAt = (at: number): number => (at >= 0 && at < wordCount ? (words.kinds[first + at] ?? 0) : 0)
  for (let at = 0; at < wordCount; at++) {
    const kinds = kindsAt(at)
    if (isNew[at] === 0 || (kinds & answerKinds) === 0) continue
    const near = nearness(positions, at, weights)
    if ((kinds & wordKinds.number) !== 0) {
      found.number = 1
      found.numberNear = Math.max(found.numberNear, near)
      if ((kindsAt(at + 1) & wordKinds.unit) !== 0) found.measure = 1
    }
    if ((kinds & (wordKinds.time | wordKinds.year)) !== 0) {
      found.time = 1
      found.timeNear = Math.max(found.timeNear, near)
    }
    // The first word of a sentence is capitalized in any case.
    if ((kinds & (wordKinds.capital | stopWord)) === wordKinds.capital && at > 0) {
      found.names += 1
      found.nameNear = Math.max(found.nameNear, near)
      if ((kindsAt(at - 1) & wordKinds.beforePlace) !== 0) found.placeNear = Math.max(found.placeNear, near)
    }
    if ((kinds & wordKinds.reason) !== 0) found.reason = 1
  }
  if (types.has('number')) {
    features.numberAsked = found.number
    features.measureAsked = found.measure
    features.numberNear = found.numberNear
  }
  if (types.has('time')) {
    features.timeAsked = found.time
    features.timeNear = found.timeNear
  }
  if (types.has('person')) {
    features.personAsked = Math.min(found.names, 4) / 4
    features.personNear = found.nameNear
  }
  if (types.has('place')) {
    features.placeAsked = Math.min(found.names, 1)
    features.placeNear = found.placeNear
  }
  if (types.has('reason')) features.reasonAsked = found.reason
  if (types.has('name') && types.size === 1) {
    features.nameNear = found.nameNear
    features.quoted = /["“„«‘(]/.test(text) ? 1 : 0
  }
  if (types.size === 0) features.untypedNear = found.nameNear
}
