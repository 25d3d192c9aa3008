import { highlightFeatures } from './highlight-features.ts'
import { prepareQuestion, type HighlightedQuestion, type PreparedQuestion } from './highlight-question.ts'
import { probabilities } from './highlight-weights.ts'
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

/**
 * Returns a function from a passage to its sentences, table rows, list items or code lines that best answer the question, best
 * first: one, and up to two more that are nearly as good. A passage without any text has none.
 *
 * Each unit is scored by a linear model of its features, see `highlightWeights`.
 */
export function highlighter(question: HighlightedQuestion): (passage: HighlightedPassage) => Highlight[] {
  const prepared = new Map<string, PreparedQuestion>()
  return ({ text, citation, language }) => {
    let own = prepared.get(language)
    if (own === undefined) prepared.set(language, (own = prepareQuestion(question, language)))
    const { title, headingPath } = citation
    const headings = new Set(title === null ? headingPath : [title, ...headingPath])
    const all = passageUnits(text, language).slice(0, maxUnits)
    const others = all.filter(({ start, end }) => !headings.has(text.slice(start, end)))
    const units = others.length > 0 ? others : all
    const scored = probabilities(highlightFeatures(own, { text, units, headings: [...headings].join('\n') }))
    const ranked = units.map((unit, at) => ({ unit, probability: scored[at] ?? 0 })).toSorted((a, b) => b.probability - a.probability)
    const least = minRelativeProbability * (ranked[0]?.probability ?? 0)
    return ranked
      .filter(({ probability }) => probability >= least)
      .slice(0, maxHighlights)
      .map(({ unit: { start, end } }) => ({ start, end }))
  }
}
