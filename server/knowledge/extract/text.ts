import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'

const maxParagraphLength = 20_000

/** Extracts plain text: paragraphs between empty lines (or form feeds, the page breaks of old text files), with line breaks kept. */
export function extractText({ bytes, contentType }: ExtractInput): Draft {
  return { parts: textParagraphs(textOf(bytes, contentType)) }
}

export function textParagraphs(text: string): Part[] {
  const paragraphs = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*(?:\n[^\S\n]*)+|\f/)
    .flatMap(atLines)
  return paragraphs.filter((paragraph) => paragraph.trim()).map((paragraph) => ({ kind: 'paragraph', text: paragraph }))
}

/** Splits long paragraphs at line ends: logs and dumps have no empty lines, and no step should hold them as one piece. */
function atLines(paragraph: string): string[] {
  const pieces: string[] = []
  let start = 0
  while (paragraph.length - start > maxParagraphLength) {
    const end = paragraph.indexOf('\n', start + maxParagraphLength)
    if (end === -1) break
    pieces.push(paragraph.slice(start, end))
    start = end + 1
  }
  return [...pieces, paragraph.slice(start)]
}
