import type { Unit } from './units.ts'

/** Tokens compared on each side of a boundary. */
const REACH = 80

/**
 * Computes lexical cohesion before each unit: the cosine of the bags of words on both sides of its start, with rare words
 * weighted more, as in TextTiling (Hearst 1997). A change of topic gives a low value.
 * @returns one value for each unit, 0 to 1; the first is 0
 */
export function lexicalCohesion(text: string, units: readonly Unit[], reach = REACH): Float64Array {
  const ids = new Map<string, number>()
  const frequency: number[] = []
  const bags = units.map((unit) => {
    const bag: number[] = []
    for (const term of terms(text.slice(unit.start, unit.end))) {
      let id = ids.get(term)
      if (id === undefined) ids.set(term, (id = ids.size))
      bag.push(id)
    }
    for (const id of new Set(bag)) frequency[id] = (frequency[id] ?? 0) + 1
    return bag
  })
  const weight = frequency.map((units_) => Math.log(1 + units.length / units_))
  const values = new Float64Array(units.length)
  for (let boundary = 1; boundary < units.length; boundary++) {
    const left = new Map<number, number>()
    const right = new Map<number, number>()
    const here = units[boundary]
    if (!here) continue
    for (let i = boundary - 1; i >= 0; i--) {
      const unit = units[i]
      if (!unit || here.from - unit.to >= reach) break
      add(left, bags[i])
    }
    for (let i = boundary; i < units.length; i++) {
      const unit = units[i]
      if (!unit || unit.from - here.from >= reach) break
      add(right, bags[i])
    }
    values[boundary] = cosine(left, right)
  }
  return values

  function add(bag: Map<number, number>, more: readonly number[] | undefined): void {
    for (const id of more ?? []) bag.set(id, (bag.get(id) ?? 0) + (weight[id] ?? 0))
  }
}

function cosine(left: ReadonlyMap<number, number>, right: ReadonlyMap<number, number>): number {
  let dot = 0
  let leftNorm = 0
  let rightNorm = 0
  for (const [id, value] of left) {
    leftNorm += value * value
    dot += value * (right.get(id) ?? 0)
  }
  for (const value of right.values()) rightNorm += value * value
  return dot === 0 ? 0 : dot / Math.sqrt(leftNorm * rightNorm)
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Words of three letters or more, truncated to six as a language-independent stem; character bigrams in scripts without spaces. */
function* terms(text: string): Generator<string> {
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    if (UNSPACED.test(word)) for (let i = 0; i + 1 < word.length; i++) yield word.slice(i, i + 2)
    else if (word.length > 2) yield word.slice(0, 6)
  }
}
