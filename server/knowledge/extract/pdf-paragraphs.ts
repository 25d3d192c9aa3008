import type { Part } from './draft.ts'
import type { PdfLine } from './pdf-lines.ts'

/**
 * Joins lines into paragraphs. A paragraph continues while lines follow closely, and ends after a short line. Headings of the
 * page layout are kept.
 */
export function paragraphParts(lines: readonly PdfLine[], headings: ReadonlyMap<string, number>, page: number): Part[] {
  const parts: Part[] = []
  let group: PdfLine[] = []
  const flush = (): void => {
    const text = joined(group)
    if (text.trim()) parts.push({ kind: 'paragraph', text, page })
    group = []
  }
  for (const line of lines) {
    const level = headings.get(lettersOf(line.text))
    if (level !== undefined) {
      flush()
      parts.push({ kind: 'heading', level, text: line.text, page })
      continue
    }
    const last = group.at(-1)
    if (last && !goesOn(group, last, line)) flush()
    group.push(line)
  }
  flush()
  return parts
}

export function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, '')
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
