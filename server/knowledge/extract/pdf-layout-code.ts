import { median } from './pdf-layout-boxes.ts'
import { wordsOf } from './pdf-layout-runs.ts'
import type { Line } from './pdf-layout-lines.ts'

/** A stretch of lines that are all code, or all text. */
export interface Stretch {
  readonly isCode: boolean
  readonly lines: readonly Line[]
}

/** An email or web address alone on a line. */
const isAddress = /^\W*\d?\s?(?:https?:\/\/|www\.)?[^\s/]+(?:@[^\s/]+|\.[a-z]{2,}\/?\S*)$/i

/**
 * Separates the lines of a column into code and text. Code is lines in a monospace font, and lines between them that begin in
 * it, such as comments with characters of another font. A single such line inside a paragraph is text.
 */
export function stretchesOf(lines: readonly Line[]): Stretch[] {
  const kinds = lines.map(({ monospace, text }) => monospace && !isAddress.test(text) && !/^[•◦▪●○■□]/.test(text))
  lines.forEach((line, at) => {
    const beginsAsCode = line.runs[0]?.monospace === true && line.isMostlyMonospace
    const next = lines[at + 1]
    const isBesideCode = (kinds[at - 1] && follows(lines[at - 1], line)) || (next?.monospace && follows(line, next))
    if (!kinds[at] && beginsAsCode && isBesideCode) kinds[at] = true
    if (kinds[at] && !kinds[at - 1] && !lines[at + 1]?.monospace && isInsideParagraph(lines[at - 1], line)) kinds[at] = false
  })
  const stretches: { isCode: boolean; lines: Line[] }[] = []
  lines.forEach((line, at) => {
    const isCode = kinds[at] ?? false
    const last = stretches.at(-1)
    const apart = isCode && last ? line.top - (last.lines.at(-1)?.bottom ?? 0) > 2.2 * line.fontSize : false
    if (last?.isCode === isCode && !apart) last.lines.push(line)
    else stretches.push({ isCode, lines: [line] })
  })
  return stretches
}

function follows(before: Line | undefined, line: Line): boolean {
  return before !== undefined && line.top - before.bottom < 0.6 * line.fontSize
}

/** A path or a command may fill a line of a paragraph. */
function isInsideParagraph(before: Line | undefined, line: Line): boolean {
  if (!before || before.monospace) return false
  return follows(before, line) && Math.abs(before.left - line.left) < 2 && /[\p{L},-]$/u.test(before.text)
}

/** Returns the lines with their indentation and the gaps between words, by the width of the font's characters. */
export function codeText(lines: readonly Line[]): string {
  const words = lines.flatMap(({ runs }) => runs.filter(({ monospace }) => monospace).flatMap(wordsOf))
  const width = median(words.filter(({ text }) => text.length > 2).map((word) => (word.right - word.left) / word.text.length)) || 6
  const left = Math.min(...lines.map((line) => line.left))
  const pitch = median(lines.slice(1).map((line, at) => line.top - (lines[at]?.top ?? 0)))
  return lines
    .map((line, at) => {
      const before = lines[at - 1]
      const blank = before !== undefined && line.top - before.top > 1.6 * pitch
      return (blank ? '\n' : '') + codeLine(line, left, width)
    })
    .join('\n')
}

function codeLine({ runs }: Line, left: number, width: number): string {
  let text = ''
  let end = left
  for (const word of runs.flatMap(wordsOf).toSorted((a, b) => a.left - b.left)) {
    const gap = word.left - end
    const column = Math.round((word.left - left) / width)
    // Wide characters of other fonts move the rest of a line: the gap counts there, the column elsewhere.
    const isAscii = /^[\x20-\x7E]*$/.test(text)
    const spaces = isAscii ? column - text.length : Math.round(gap / width)
    text += ' '.repeat(Math.max(0, spaces, text !== '' && gap > 0.4 * width ? 1 : 0)) + word.text
    end = word.right
  }
  return text
}
