import type { ChunkingSettings } from './chunk.ts'
import { type Costs, divide, type Division } from './divide.ts'
import { withSentencesBefore } from './overlap.ts'
import type { Unit } from './units.ts'

/** Sections with fewer tokens do not get a chunk of their own. */
const TINY = 32

const JOINTS = { section: -1, block: 1, line: 1.2, sentence: 1.4, word: 2 }

/** Returns one chunk for each section, with as few cuts inside a section as possible, between paragraphs rather than sentences. */
export function markdownDivision(units: readonly Unit[], settings: ChunkingSettings): Division {
  const tiny = Math.min(TINY, settings.size / 4)
  const costs: Costs = {
    chunk: (tokens) => (tokens < tiny ? 4 * (1 - tokens / tiny) : 0),
    cut: ({ joint }) => JOINTS[joint],
  }
  return divide(units, settings.size, costs).map((range) => withSentencesBefore(units, range, settings))
}
