import type { ChunkingSettings } from './chunk.ts'
import { lexicalCohesion } from './cohesion.ts'
import { type Costs, divide, type Division, type Range } from './divide.ts'
import { tokensOf, withSentencesBefore } from './overlap.ts'
import type { Unit } from './units.ts'

/** Target length of a chunk, as a share of `size`. With 512 tokens, 0.25 had a recall of 92.8 and an IoU of 7.2; 0.23 has 92.4 and 7.5. */
const TARGET = 0.23
/** Maximum of the target, as a share of `size`. */
const MAX_TARGET = 0.6
/** Cost of a chunk of twice the target length; an empty chunk costs 1. */
const TOO_LONG = 3
const JOINTS = { section: -0.5, block: 0, line: 0.05, sentence: 0.3, word: 2 }
/** Cost that one standard deviation of cohesion adds to a cut. */
const COHESION = 0.4
/**
 * Chunks of less than this share of the target length, but of 12 tokens in any case, are joined to another one of their section: a
 * line or two do not say enough to be found. With a third, hybrid nDCG@10 on the open set of manuals is .838, and .831 without.
 * Repeated sentences count as well, up to the length of the chunk itself: nDCG@10 on the open set of abstracts is .736 with them,
 * .735 without.
 */
const TINY_SHARE = 1 / 3
const TINY = 12
/** Tokens from the beginning and the end of a document, where few words make any cohesion look low. */
const NEAR_EDGE = 16
/**
 * Units above which vocabulary is not compared. So many are the rows of a table or the lines of a log, of which none begins a topic,
 * and the bags of words of a million rows take a gigabyte.
 */
const MAX_COMPARED = 250_000

/**
 * Returns the division with the best compromise of chunk length, structure, and change of vocabulary at the cuts. Cuts inside a
 * paragraph depend on vocabulary, not on a model: on the open chunking evaluation (top 5, hybrid search, otherwise equal costs)
 * structure alone had a recall of 90.4 at an IoU of 6.7, lexical cohesion 92.4 at 7.1, and the similarity of sentence
 * embeddings 91.7 at 7.0 for about as much computation as embedding the chunks. A chunk that begins inside a paragraph repeats
 * the preceding sentences: at an IoU of 7.0 to 7.1, recall was 92.4 with up to 64 repeated tokens and 91.1 with longer chunks
 * instead.
 * @param density tokens relative to an English text of the same content, see `tokenDensity`
 */
export function semanticDivision(text: string, units: readonly Unit[], settings: ChunkingSettings, density = 1): Division {
  const target = settings.size * Math.min(TARGET * density, MAX_TARGET)
  const division = divide(units, settings.size, semanticCosts(text, units, target))
  const joined = withoutTiny(units, division, settings, Math.max(TINY, target * TINY_SHARE))
  return joined.map((range) => withSentencesBefore(units, range, settings))
}

/** Returns the division with tiny chunks joined to a neighbour of the same section, preferably the previous one. */
function withoutTiny(units: readonly Unit[], division: Division, settings: ChunkingSettings, tiny: number): Division {
  const joined: Range[] = []
  for (const range of division) {
    const before = joined.at(-1)
    const isTiny = (one: Range): boolean =>
      Math.min(2 * tokensOf(units, ...one), tokensOf(units, ...withSentencesBefore(units, one, settings))) < tiny
    const whole: Range | null = before ? [before[0], range[1]] : null
    const joins = before && whole && (isTiny(range) || isTiny(before)) && tokensOf(units, ...whole) <= settings.size
    if (joins && units[before[1] - 1]?.section === units[range[0]]?.section) joined[joined.length - 1] = whole
    else joined.push(range)
  }
  return joined
}

function semanticCosts(text: string, units: readonly Unit[], target: number): Costs {
  const cohesion = units.length > MAX_COMPARED ? new Float64Array(units.length) : standardScores(lexicalCohesion(text, units))
  const [first, last] = [units[0]?.from ?? 0, units.at(-1)?.to ?? 0]
  const isNearEdge = ({ from }: Unit): boolean => from - first < NEAR_EDGE || last - from < NEAR_EDGE
  return {
    chunk(tokens) {
      const distance = tokens / target - 1
      return (distance > 0 ? TOO_LONG : 1) * distance * distance
    },
    cut(unit, position) {
      const change = unit.joint === 'section' || isNearEdge(unit) ? 0 : (cohesion[position] ?? 0)
      return JOINTS[unit.joint] + COHESION * change
    },
  }
}

/** Returns standard scores, with outliers clipped. */
function standardScores(values: Float64Array): Float64Array {
  const inner = values.subarray(1)
  const count = Math.max(1, inner.length)
  const mean = inner.reduce((sum, value) => sum + value, 0) / count
  const deviation = Math.sqrt(inner.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count)
  return values.map((value) => (deviation > 0 ? Math.max(-2.5, Math.min(2.5, (value - mean) / deviation)) : 0))
}
