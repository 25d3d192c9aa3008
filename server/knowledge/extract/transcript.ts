import type { Part } from './draft.ts'

/** A caption: text that is spoken in an interval. Times are seconds from the start of the recording, with fractions. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly speaker?: string
}

const pauseSeconds = 2
const minParagraphSeconds = 5
const maxParagraphSeconds = 15
/** Maximum length of a paragraph of captions with punctuation, so that sentences are rarely split. */
const maxPunctuatedSeconds = 30
const sentenceEnd = /[.!?…。！？؟।]["'”’»)\]]*$/u
const betweenSentences = /(?<=[.!?…؟।]["'”’»)\]]*)\s+(?=["'“‘«¿¡([]*\p{Lu})/u
/** Captions have punctuation if a larger share of cues ends a sentence. Automatic captions often have none. */
const minPunctuatedShare = 0.1

/**
 * Joins cues into paragraphs of a few seconds, so that the start time of a passage is close to its first word. A paragraph
 * ends at a pause, at a change of speaker, and at the end of a sentence or, without punctuation, at `maxParagraphSeconds`. The text
 * after a change of speaker starts with the speaker's name.
 */
export function transcriptParts(captions: readonly Cue[]): Part[] {
  const sentences = captions.map(sentencesOf)
  const sentenceEnds = sentences.filter((pieces) => pieces.length > 1 || sentenceEnd.test(pieces[0]?.text ?? '')).length
  const punctuated = sentenceEnds > captions.length * minPunctuatedShare
  const longest = punctuated ? maxPunctuatedSeconds : maxParagraphSeconds
  const cues = punctuated ? sentences.flat() : captions
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
    const isOtherSpeaker = last !== null && cue.speaker !== last.speaker
    if (first && last && (isOtherSpeaker || cue.start - last.end >= pauseSeconds || isFull(first, last, cue, longest))) flush()
    const named = cue.speaker !== undefined && (last === null || isOtherSpeaker)
    lines.push(named ? `${cue.speaker}: ${cue.text}` : cue.text)
    first ??= cue
    last = cue
  }
  flush()
  return parts
}

function isFull(first: Cue, last: Cue, next: Cue, longest: number): boolean {
  return next.end - first.start > longest || (sentenceEnd.test(last.text) && next.start - first.start >= minParagraphSeconds)
}

/** Splits a cue into sentences and divides its time by their length. */
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
