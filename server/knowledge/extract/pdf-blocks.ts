import type { Part } from './draft.ts'

/** dblatex under Python 3 writes the literal of an empty byte string around each box-drawing character. */
export function withoutLiterals(part: Part): Part {
  return { ...part, text: part.text.replace(/b(?:''|’’)(?=[\u2500-\u257F])|(?<=[\u2500-\u257F])b(?:''|’’)/g, '') }
}
