import type { PdfLine } from './pdf-lines.ts'

/**
 * Joins lines into paragraphs. A paragraph continues while lines in the same font follow closely, and ends after a short line.
 */
export function drawnParagraphs(
  lines: readonly PdfLine[],
  isSameFont: (line: PdfLine, other: PdfLine) => boolean = () => true,
): { lines: PdfLine[]; text: string }[] {
  const groups: PdfLine[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (group && last && isSameFont(last, line) && goesOn(group, last, line)) group.push(line)
    else groups.push([line])
  }
  return groups.map((group) => ({ lines: group, text: joined(group) })).filter(({ text }) => text.trim() !== '')
}

function goesOn(group: readonly PdfLine[], last: PdfLine, line: PdfLine): boolean {
  const height = Math.max(last.top - last.bottom, 1)
  const gap = last.bottom - line.top
  if (gap > height || gap < -height / 2) return false
  const left = Math.min(line.left, ...group.map((one) => one.left))
  const right = Math.max(line.right, ...group.map((one) => one.right))
  const room = isRightToLeft(last.text) ? last.left - left : right - last.right
  const short = room > 0.15 * (right - left)
  return !short && !/^\s*(?:[•◦▪※]|\(?\d{1,3}[.)]\s)/u.test(line.text)
}

/** Joins lines. PDFium marks a hyphen at the end of a line with U+0002; in scripts without spaces a line end is no space. */
function joined(lines: readonly PdfLine[]): string {
  return lines.reduce((text, line) => {
    if (text === '') return line.text
    if (text.endsWith('\u0002') || text.endsWith('\uFFFE')) return text.slice(0, -1) + line.text
    const unspaced =
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u.test(text) &&
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(line.text)
    return unspaced || text.endsWith(' ') ? text + line.text : `${text} ${line.text}`
  }, '')
}

export function isRightToLeft(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return (text.match(/[\p{Script=Arabic}\p{Script=Hebrew}]/gu)?.length ?? 0) > 0.3 * letters
}
