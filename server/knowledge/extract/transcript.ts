import type { Part } from './draft.ts'

/** Speech at one time. Times are seconds from the start of the recording, with fractions. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker?: string
}

const pauseSeconds = 2
const minSeconds = 5
const maxSeconds = 15
/** A sentence is not cut for being a little longer than a paragraph should be. */
const maxSentenceSeconds = 30
const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u
const betweenSentences = /(?<=[.!?…؟।]["'”’»)\]]*)\s+(?=["'“‘«¿¡([]*\p{Lu})/u
/** Share of cues that end a sentence from which captions have sentences; automatic captions often have none. */
const minSentenceShare = 0.1

/**
 * Joins cues into paragraphs of a few seconds, so that a passage's first second is close to its first word. A paragraph ends at
 * a pause, at a change of speaker, and at the end of a sentence or, without sentences, at `maxSeconds`. Speakers are named at
 * their first words.
 */
export function transcriptParts(shown: readonly Cue[]): Part[] {
  const sentences = shown.map(sentencesOf)
  const ends = sentences.filter((pieces) => pieces.length > 1 || sentenceEnd.test(pieces[0]?.text ?? '')).length
  const punctuated = ends > shown.length * minSentenceShare
  const longest = punctuated ? maxSentenceSeconds : maxSeconds
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
  return next.end - first.start > longest || (sentenceEnd.test(last.text) && next.start - first.start >= minSeconds)
}

/** Splits a cue by sentence; each takes time in proportion to its text. */
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
