import { answerKinds, wordKinds, type AnswerType } from './answer-type.ts'
import { pairOf, type PreparedQuestion } from './highlight-question.ts'
import type { PassageUnit } from './passage-units.ts'
import { passageWords, type PassageWord } from './passage-words.ts'

/** A unit of a passage and the words of the question in it. */
interface MatchedUnit {
  readonly text: string
  readonly kind: PassageUnit['kind']
  readonly words: readonly PassageWord[]
  /** Positions of each content word of the question, by number; empty if it does not occur. */
  readonly positions: readonly (readonly number[])[]
  /** Content words of the question of which a similar term occurs. */
  readonly similar: ReadonlySet<number>
  /** Content words of the question in the header row of the table. */
  readonly inHeader: ReadonlySet<number>
  /** Whether each word is absent from the question. */
  readonly isNew: readonly boolean[]
  /** Neighbouring words that are neighbours in the question too. */
  readonly pairs: number
}

type TypeFeatures = ReturnType<typeof typeFeatures>

/** Properties of a unit, between 0 and about 1; 0 for one that it lacks. Shares are of the weight of all words of the question. */
export interface Features extends TypeFeatures {
  /** Share of the words in the unit; `rareCovered` also weights them by their rarity in the passage, `frequency` by BM25. */
  readonly covered: number
  readonly rareCovered: number
  readonly frequency: number
  /** Number of words in the unit, relative to all. */
  readonly count: number
  /** Share of the words that occur in no other unit. */
  readonly unique: number
  /** 1 if the unit has every word. */
  readonly all: number
  /** Share of the words of which only a similar one is in the unit. */
  readonly similar: number
  /** Shares of names, of numbers, of the word after the question word, and of words of the headings, in the unit. */
  readonly capitalized: number
  readonly numeric: number
  readonly focus: number
  readonly titled: number
  /** Neighbouring words that are neighbours in the question too: up to six, divided by six. */
  readonly pairs: number
  /** Share of missing words in the sentence before; `previousOfPronoun` if the unit begins with a pronoun. */
  readonly previous: number
  readonly previousOfPronoun: number
  /** Shares of missing words in the sentence after, in the header row of the table, and in the headings. */
  readonly next: number
  readonly header: number
  readonly heading: number
  readonly isHeading: number
  readonly isQuestion: number
}

/** The passage that units are parts of. `headings` are the title and the headings above it. */
interface Passage {
  readonly text: string
  readonly units: readonly PassageUnit[]
  readonly headings: string
}

/** Returns the features of each unit of a passage. */
export function highlightFeatures(question: PreparedQuestion, { text, units: spans, headings }: Passage, language: string): Features[] {
  const headerWords = new Map<string, ReadonlySet<number>>()
  const units = spans.map((unit) => matchUnit(question, text, unit, language, headerWords))
  const inHeadings = numbersIn(question, headings, language)
  const weights = question.weights.map((weight) => weight / question.totalWeight)
  const share = (holds: (number: number) => boolean): number =>
    weights.reduce((sum, weight, number) => (holds(number) ? sum + weight : sum), 0)
  const unitsWith = weights.map((_, number) => units.filter((unit) => has(unit, number)).length)
  const rarity = unitsWith.map((count) => (count === 0 ? 0 : Math.log(1 + (units.length - count + 0.5) / (count + 0.5))))
  const occurring = share((number) => (unitsWith[number] ?? 0) > 0) || 1
  const totalRarity = weights.reduce((sum, weight, number) => sum + weight * (rarity[number] ?? 0), 0) || 1

  return units.map((unit, at) => {
    const [before, after] = unit.kind === 'row' ? [undefined, undefined] : [units[at - 1], units[at + 1]]
    const isMissing = (number: number): boolean => !has(unit, number) && !unit.similar.has(number)
    const covered = share((number) => has(unit, number))
    const previous = share((number) => isMissing(number) && has(before, number))
    const opensWithPronoun = ((unit.words[0]?.kinds ?? 0) & wordKinds.pronoun) !== 0
    return {
      covered,
      rareCovered:
        weights.reduce((sum, weight, number) => (has(unit, number) ? sum + weight * (rarity[number] ?? 0) : sum), 0) / totalRarity,
      frequency: bm25(unit, weights) / occurring,
      count: weights.filter((_, number) => has(unit, number)).length / Math.max(1, weights.length),
      unique: share((number) => has(unit, number) && unitsWith[number] === 1),
      all: covered > 0.999 ? 1 : 0,
      similar: share((number) => !has(unit, number) && unit.similar.has(number)),
      capitalized: share((number) => has(unit, number) && question.capitalized.has(number)),
      numeric: share((number) => has(unit, number) && question.numeric.has(number)),
      focus: share((number) => has(unit, number) && question.focus.has(number)),
      titled: share((number) => has(unit, number) && inHeadings.has(number)),
      pairs: Math.min(unit.pairs, 6) / 6,
      previous,
      previousOfPronoun: opensWithPronoun ? previous : 0,
      next: share((number) => isMissing(number) && has(after, number)),
      header: share((number) => isMissing(number) && unit.inHeader.has(number)),
      heading: share((number) => !has(unit, number) && inHeadings.has(number)),
      isHeading: unit.kind === 'heading' ? 1 : 0,
      isQuestion: /[?？؟]["'”’»)]*$/u.test(unit.text) ? 1 : 0,
      ...typeFeatures(question, unit, weights),
    }
  })
}

const has = (unit: MatchedUnit | undefined, number: number): boolean => (unit?.positions[number]?.length ?? 0) > 0

/** Returns the BM25 score (k1 .9, b .4) of a unit, with a mean length of 25 words. */
function bm25({ positions, words }: MatchedUnit, weights: readonly number[]): number {
  const norm = 0.9 * (0.6 + (0.4 * words.length) / 25)
  return positions.reduce((sum, { length }, number) => sum + ((weights[number] ?? 0) * length) / (length + norm), 0)
}

function numbersIn({ numbers, weights }: PreparedQuestion, text: string, language: string): ReadonlySet<number> {
  const found = passageWords(text, language).flatMap(({ keys }) => keys.flatMap((key) => numbers.get(key) ?? []))
  return new Set(found.filter((number) => number < weights.length))
}

function matchUnit(
  question: PreparedQuestion,
  text: string,
  { start, end, kind, header }: PassageUnit,
  language: string,
  headerWords: Map<string, ReadonlySet<number>>,
): MatchedUnit {
  const own = text.slice(start, end)
  const words = passageWords(own, language)
  const positions: number[][] = question.weights.map(() => [])
  const similar = new Set<number>()
  const isNew: boolean[] = []
  let [pairs, last] = [0, -1]
  for (const [position, { keys, isStopWord }] of words.entries()) {
    let isOwn = false
    for (const key of keys) {
      const number = question.numbers.get(key)
      if (number !== undefined) {
        isOwn = true
        if (last >= 0 && question.pairs.has(pairOf(last, number))) pairs += 1
        positions[number]?.push(position)
      } else if (!isStopWord) {
        const alike = question.similarTo(key)
        if (alike !== undefined) similar.add(alike)
      }
      last = number ?? -1
    }
    isNew.push(!isOwn)
  }
  const head = header === null ? '' : text.slice(header.start, header.end)
  let inHeader = headerWords.get(head)
  if (inHeader === undefined) headerWords.set(head, (inHeader = numbersIn(question, head, language)))
  return { text: own, kind, words, positions, similar, inHeader, isNew, pairs }
}

/** Weight of a word of the question, by its distance in words. */
const decay = Array.from({ length: 40 }, (_, distance) => Math.exp(-distance / 6))

/** Returns the share of the words of the question near a position, which falls with their distance. */
function nearness(positions: readonly (readonly number[])[], position: number, weights: readonly number[]): number {
  let sum = 0
  for (const [number, each] of positions.entries()) {
    let distance = decay.length
    for (const other of each) distance = Math.min(distance, Math.abs(other - position))
    sum += (weights[number] ?? 0) * (decay[distance] ?? 0)
  }
  return sum
}

/**
 * Returns whether a unit has new words of the kind that the question asks for (`…Asked`), and how near the words of the question
 * are to the best of them (`…Near`).
 */
function typeFeatures({ types }: PreparedQuestion, { words, isNew, positions, text }: MatchedUnit, weights: readonly number[]) {
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
  const kindsAt = (at: number): number => words[at]?.kinds ?? 0
  for (const [at, { kinds, isStopWord }] of words.entries()) {
    if (!isNew[at] || (kinds & answerKinds) === 0) continue
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
    if ((kinds & wordKinds.capital) !== 0 && !isStopWord && at > 0) {
      found.names += 1
      found.nameNear = Math.max(found.nameNear, near)
      if ((kindsAt(at - 1) & wordKinds.beforePlace) !== 0) found.placeNear = Math.max(found.placeNear, near)
    }
    if ((kinds & wordKinds.reason) !== 0) found.reason = 1
  }
  const asks = (type: AnswerType): number => (types.has(type) ? 1 : 0)
  const asksName = types.size === 1 ? asks('name') : 0
  return {
    numberAsked: asks('number') * found.number,
    measureAsked: asks('number') * found.measure,
    numberNear: asks('number') * found.numberNear,
    timeAsked: asks('time') * found.time,
    timeNear: asks('time') * found.timeNear,
    personAsked: (asks('person') * Math.min(found.names, 4)) / 4,
    personNear: asks('person') * found.nameNear,
    placeAsked: asks('place') * Math.min(found.names, 1),
    placeNear: asks('place') * found.placeNear,
    reasonAsked: asks('reason') * found.reason,
    nameNear: asksName * found.nameNear,
    quoted: asksName * (/["“„«‘(]/.test(text) ? 1 : 0),
    untypedNear: types.size === 0 ? found.nameNear : 0,
  }
}
