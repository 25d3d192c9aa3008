import { vectorOf, type Passages } from './passages.ts'
import { askedParts, topK, type Question } from './peer.ts'

/** Float sums in different order differ by less. */
const tolerance = 1e-5

/** Returns the recall of a result list: the share of the exact nearest passages under the filter. */
export type RecallOf = (question: Question, places: readonly number[]) => number

export function exactSearch(passages: Passages, questions: readonly Question[]): RecallOf {
  const matches = (place: number, { base }: Question): boolean =>
    passages.bases[place] === base && askedParts.includes(passages.parts[place] ?? -1)
  const least = new Map<Question, { similarity: number; count: number }>()
  for (const question of questions) {
    const similarities: number[] = []
    for (let place = 0; place < passages.ids.length; place++) {
      if (matches(place, question)) similarities.push(dot(vectorOf(passages, place), question.vector))
    }
    const best = similarities.toSorted((a, b) => b - a).slice(0, topK)
    least.set(question, { similarity: best.at(-1) ?? 0, count: best.length })
  }
  return (question, places) => {
    const { similarity, count } = least.get(question) ?? { similarity: 0, count: topK }
    // Passages at the same distance as the last one count as nearest too.
    const right = [...new Set(places.slice(0, topK))].filter(
      (place) => matches(place, question) && dot(vectorOf(passages, place), question.vector) >= similarity - tolerance,
    )
    return count === 0 ? 1 : right.length / count
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
