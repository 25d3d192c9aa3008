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

/**
 * Cues as paragraphs of some seconds: one ends at a pause, where another speaks, at the end of a sentence, and at
 * `longestSeconds` in any case, so that a passage's first second is near to its first word. A speaker is named where they begin.
 */
export function transcriptParts(cues: readonly Cue[]): Part[] {
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
    if (first && last && (turns || cue.start - last.end >= pauseSeconds || isFull(first, last, cue))) flush()
    const named = cue.speaker !== undefined && (last === null || turns)
    lines.push(named ? `${cue.speaker}: ${cue.text}` : cue.text)
    first ??= cue
    last = cue
  }
  flush()
  return parts
}

function isFull(first: Cue, last: Cue, next: Cue): boolean {
  const endsSentence = /[.!?…。！？؟।]["'”’»)\]]*$/u.test(last.text)
  return next.end - first.start > longestSeconds || (endsSentence && next.start - first.start >= shortestSeconds)
}
