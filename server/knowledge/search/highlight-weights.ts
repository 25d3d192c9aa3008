import type { Features } from './highlight-features.ts'

/**
 * Weights of the features, learned by multinomial logistic regression over the units of each passage that contains the answer,
 * on SQuAD, XQuAD (German, Spanish) and the open chunking evaluation. The features follow Rajpurkar et al., SQuAD (2016), which
 * selects sentences by logistic regression over lexical overlap and answer types. The weights of `header`, `isHeading` and
 * `isQuestion` are set by hand: these sets have few questions, and no headings or rows of tables, among their sentences.
 */
const highlightWeights: Readonly<Record<keyof Features, number>> = {
  covered: 2.03,
  rareCovered: 1.41,
  frequency: 1.34,
  count: 1.96,
  unique: 1.51,
  all: 0.59,
  similar: 5.14,
  capitalized: -2.74,
  numeric: -1.56,
  focus: 2.3,
  titled: -2.17,
  pairs: 1.46,
  previous: 3.05,
  previousOfPronoun: 1.12,
  next: 0.73,
  header: 2.5,
  heading: 2.64,
  isHeading: -1,
  isQuestion: -5,
  numberAsked: 1.45,
  measureAsked: 0.81,
  numberNear: 6.59,
  timeAsked: 2.07,
  timeNear: 3.55,
  personAsked: 1.88,
  personNear: 2.41,
  placeAsked: 1.91,
  placeNear: 3.3,
  reasonAsked: 1.44,
  nameNear: 4.81,
  quoted: 0.92,
  untypedNear: 1.16,
}

/** Returns the probability of each unit of a passage to be the best answer, from their scores. */
export function probabilities(scores: readonly number[]): number[] {
  const highest = Math.max(...scores)
  const powers = scores.map((score) => Math.exp(score - highest))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}

/** Returns the weighted sum of the features of a unit. Written out, because a loop over the names takes ten times as long. */
export function scoreOf(features: Features): number {
  const w = highlightWeights
  return (
    w.covered * features.covered +
    w.rareCovered * features.rareCovered +
    w.frequency * features.frequency +
    w.count * features.count +
    w.unique * features.unique +
    w.all * features.all +
    w.similar * features.similar +
    w.capitalized * features.capitalized +
    w.numeric * features.numeric +
    w.focus * features.focus +
    w.titled * features.titled +
    w.pairs * features.pairs +
    w.previous * features.previous +
    w.previousOfPronoun * features.previousOfPronoun +
    w.next * features.next +
    w.header * features.header +
    w.heading * features.heading +
    w.isHeading * features.isHeading +
    w.isQuestion * features.isQuestion +
    w.numberAsked * features.numberAsked +
    w.measureAsked * features.measureAsked +
    w.numberNear * features.numberNear +
    w.timeAsked * features.timeAsked +
    w.timeNear * features.timeNear +
    w.personAsked * features.personAsked +
    w.personNear * features.personNear +
    w.placeAsked * features.placeAsked +
    w.placeNear * features.placeNear +
    w.reasonAsked * features.reasonAsked +
    w.nameNear * features.nameNear +
    w.quoted * features.quoted +
    w.untypedNear * features.untypedNear
  )
}
