import { unspaced } from '../index/unspaced.ts'
import { highlightFeatures } from './highlight-features.ts'
import { prepareQuestion, type HighlightedQuestion, type PreparedQuestion } from './highlight-question.ts'
import { probabilities, scoreOf } from './highlight-weights.ts'
import { passageUnits } from './passage-units.ts'

/** A span of a passage. Offsets are UTF-16 code units of its text, end exclusive. */
export interface Highlight {
  start: number
  end: number
}

/** The parts of a hit that highlights are computed from. */
export interface HighlightedPassage {
  readonly text: string
  readonly citation: { readonly title: string | null; readonly headingPath: readonly string[] }
  /** The language that the text was analyzed in. */
  readonly language: string
}

const maxHighlights = 3
/** Probability of a further highlight, as a part of that of the first. */
const minRelativeProbability = 0.25
/** Number of units of a passage that are compared. */
const maxUnits = 200

/** The sentences of a passage, compared with the question. */
export interface ComparedPassage {
  /** Its sentences, table rows, list items or code lines that best answer the question, best first. */
  readonly highlights: Highlight[]
  /** How clearly its best sentence answers the question, 0 to 1. */
  readonly sentence: number
}

/**
 * Scores of a sentence that count as 0 and 1. In SQuAD, the score of the best sentence of a passage that answers the question is 7.0 at the
 * median and 10.6 at the 95th percentile; that of other passages among the twenty best is 3.6 and 6.9. A lower limit would also raise
 * passages of the same subject: with 4 instead of 6, nDCG@10 falls on Cranfield by .01.
 */
const [lowestScore, highestScore] = [6, 12]
/**
 * Mean lengths of a passage's sentences, in characters, up to which they are not judged, and from which they count entirely. One of many short
 * lines has the words of a question by chance: without these limits, nDCG@10 falls on Banking77 by .001.
 */
const [shortLines, sentences] = [60, 120]
/** In scripts without spaces between words, sentences share terms with any question: judging them costs .0003 on XQuAD in Chinese. */
const unspacedAnywhere = new RegExp(`[${unspaced}]`, 'u')

/**
 * Returns a function that compares the sentences of a passage with the question. A passage has one highlight, and up to two more that
 * are nearly as good; one without any text has none.
 *
 * Each unit is scored by a linear model of its features, see `highlightWeights`.
 */
export function passageComparer(question: HighlightedQuestion): (passage: HighlightedPassage) => ComparedPassage {
  const prepared = new Map<string, PreparedQuestion>()
  const isUnspaced = unspacedAnywhere.test(question.text)
  return ({ text, citation, language }) => {
    let own = prepared.get(language)
    if (own === undefined) prepared.set(language, (own = prepareQuestion(question, language)))
    const { title, headingPath } = citation
    const headings = new Set(title === null ? headingPath : [title, ...headingPath])
    const all = passageUnits(text, language).slice(0, maxUnits)
    const others = all.filter(({ start, end }) => !headings.has(text.slice(start, end)))
    const units = others.length > 0 ? others : all
    const scores = highlightFeatures(own, { text, units, headings: [...headings].join('\n') }).map((features) => scoreOf(features))
    const likely = probabilities(scores)
    const ranked = units.map((unit, at) => ({ unit, probability: likely[at] ?? 0 })).toSorted((a, b) => b.probability - a.probability)
    const least = minRelativeProbability * (ranked[0]?.probability ?? 0)
    const highlights = ranked
      .filter(({ probability }) => probability >= least)
      .slice(0, maxHighlights)
      .map(({ unit: { start, end } }) => ({ start, end }))
    const judged = isUnspaced ? 0 : inUnitRange((text.length / all.length - shortLines) / (sentences - shortLines))
    const best = inUnitRange((Math.max(...scores) - lowestScore) / (highestScore - lowestScore))
    return { highlights, sentence: judged * best }
  }
}

const inUnitRange = (value: number): number => Math.min(Math.max(value, 0), 1)
