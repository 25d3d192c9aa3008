import type { Part } from './draft.ts'

/** What is said at one time. Times are seconds from the start of the recording, with fractions. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker?: string
}

const pauseSeconds = 2
const shortestSeconds = 5
const longestSeconds = 15
/** Where there are sentences, one is not cut for being a little long. */
const longestSentenceSeconds = 30
const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u
const betweenSentences = /(?<=[.!?…؟।]["'”’»)\]]*)\s+(?=["'“‘«¿¡([]*\p{Lu})/u
/** Cues that end a sentence, among all, from which on captions have sentences; recognized ones often have none. */
const shareThatTells = 0.1

/**
 * Cues as paragraphs of some seconds, so that a passage's first second is near to its first word: one ends at a pause, where
 * another speaks, and at the end of a sentence, or, where there are none, at `longestSeconds`. A speaker is named where they begin.
 */
export function transcriptParts(shown: readonly Cue[]): Part[] {
  const sentences = shown.map(sentencesOf)
  const ends = sentences.filter((pieces) => pieces.length > 1 || sentenceEnd.test(pieces[0]?.text ?? '')).length
  const punctuated = ends > shown.length * shareThatTells
  const longest = punctuated ? longestSentenceSeconds : longestSeconds
  const cues = punctuated ? sentences.flat() : shown
  const parts: Part[] = []
  let lines: string[] = []
  let first: Cue | null = null
  let last: Cue | null = null
  const flush = (): void => {
    if (first) parts.push({ kind: 'paragraph', text: lines.join(' '), startSecond: first.start })
    lines = []
    first = null
  }
  for (const cue of cues) {
    const turns = last !== null && cue.speaker !== last.speaker
    if (first && last && (turns || cue.start - last.end >= pauseSeconds || isFull(first, last, cue, longest))) flush()
    const named = cue.speaker !== undefined && (last === null || turns)
    lines.push(named ? `${cue.speaker}: ${cue.text}` : cue.text)
    first ??= cue
    last = cue
  }
  flush()
  return parts
}

function isFull(first: Cue, last: Cue, next: Cue, longest: number): boolean {
  return next.end - first.start > longest || (sentenceEnd.test(last.text) && next.start - first.start >= shortestSeconds)
}

/** A cue as one for each sentence or part of one in it; each takes the time that its share of the text does. */
function sentencesOf(cue: Cue): Cue[] {
  const pieces = cue.text.split(betweenSentences)
  let start = cue.start
  return pieces.map((text) => {
    const end = start + ((cue.end - cue.start) * text.length) / cue.text.length
    const piece = { ...cue, start, end, text }
    start = end
    return piece
  })
}
