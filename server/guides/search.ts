import type { Guide } from './guides.ts'

export interface GuideHit {
  readonly slug: string
  readonly title: string
  /** Id of the heading in the page; empty for the page itself. */
  readonly id: string
  readonly heading: string
  /** The text around the first word that was found. */
  readonly excerpt: string
}

const maxHits = 20
const excerptLength = 220
const weight = { title: 12, heading: 8, text: 1 }
/** A word that occurs more often says no more about a section. */
const maxOccurrences = 5

/** Returns the sections with all words of the query, or words that begin with them, best first. */
export function searchGuides(guides: Iterable<Guide>, query: string): GuideHit[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  const found = [...guides].flatMap((guide) =>
    guide.sections.flatMap(({ id, heading, text }) => {
      const score = scoreOf(words, { title: guide.title, heading, text })
      return score === 0 ? [] : [{ score, hit: { slug: guide.slug, title: guide.title, id, heading, excerpt: excerptOf(text, words) } }]
    }),
  )
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, maxHits)
    .map(({ hit }) => hit)
}

export const wordsOf = (query: string): string[] => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])].slice(0, 8)

/** Returns 0 unless every word occurs. */
function scoreOf(words: readonly string[], fields: Record<keyof typeof weight, string>): number {
  const scores = words.map(
    (word) =>
      weight.title * Math.min(1, countOf(word, fields.title)) +
      weight.heading * Math.min(1, countOf(word, fields.heading)) +
      weight.text * Math.min(maxOccurrences, countOf(word, fields.text)),
  )
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0)
}

/** Counts the words of a text that begin with a word. */
function countOf(word: string, text: string): number {
  const lower = text.toLowerCase()
  let count = 0
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')) count += 1
  }
  return count
}

function excerptOf(text: string, words: readonly string[]): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  const lower = plain.toLowerCase()
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), plain.length)
  const from = first === plain.length || first < excerptLength / 3 ? 0 : plain.lastIndexOf(' ', first - excerptLength / 3) + 1
  const shown = plain.slice(from, from + excerptLength)
  return `${from > 0 ? '… ' : ''}${shown}${from + excerptLength < plain.length ? ' …' : ''}`
}
