import { codeLines } from './code-lines.ts'

/** A part of a text: lines as they are, source code, a Markdown table, or a list. `start` and `end` are offsets in the text. */
export type TextPart = { start: number; end: number } & (
  | { kind: 'text' | 'code'; text: string }
  /** `header` is empty where the table continues from an earlier text. */
  | { kind: 'table'; header: readonly string[]; rows: readonly (readonly string[])[] }
  | { kind: 'list'; items: readonly ListItem[] }
)

export interface ListItem {
  /** From 0. */
  level: number
  /** `•`, or the number as it is in the text. */
  marker: string
  /** With its further lines. */
  text: string
}

const rowLine = /^\|.*\|$/
const delimiterLine = /^\|(?:\s*:?-+:?\s*\|)+$/
const itemLine = /^(\s*)([-*•]|\d{1,3}[.)])\s+(\S.*)$/

const kindOf = (line: string): TextPart['kind'] => (rowLine.test(line.trim()) ? 'table' : itemLine.test(line) ? 'list' : 'text')

/** Splits an extracted text into its code, its tables and lists, which are in Markdown, and the text around them. Drops the line breaks between them. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  const lines = text.split('\n')
  const isCode = codeLines(lines)
  let run: string[] = []
  let kind: TextPart['kind'] = 'text'
  let start = 0
  let offset = 0
  const flush = (): void => {
    const joined = run.join('\n')
    const end = start + joined.length
    if (kind === 'table') parts.push({ start, end, ...tableOf(run) })
    else if (kind === 'list') parts.push({ start, end, kind, items: itemsOf(run) })
    else if (joined.trim() !== '') {
      const shown = joined.replace(/^\n+|\n+$/g, '')
      const shownStart = start + joined.indexOf(shown)
      parts.push({ start: shownStart, end: shownStart + shown.length, kind, text: shown })
    }
    run = []
    start = offset
  }
  for (const [index, line] of lines.entries()) {
    // An indented line continues the item before it.
    const continues: boolean = kind === 'list' && /^\s+\S/.test(line) && kindOf(line) === 'text'
    const next: TextPart['kind'] = isCode[index] === true ? 'code' : continues ? 'list' : kindOf(line)
    if (next !== kind) {
      flush()
      kind = next
    }
    run.push(line)
    offset += line.length + 1
  }
  flush()
  return parts
}

function itemsOf(lines: readonly string[]): ListItem[] {
  const items: ListItem[] = []
  const indents: number[] = []
  for (const line of lines) {
    const [, space = '', marker = '', text = ''] = itemLine.exec(line) ?? []
    const last = items.at(-1)
    if (text === '' && last !== undefined) {
      last.text += `\n${line.trim()}`
      continue
    }
    while ((indents.at(-1) ?? -1) >= space.length) indents.pop()
    items.push({ level: indents.length, marker: /\d/.test(marker) ? marker : '•', text })
    indents.push(space.length)
  }
  return items
}

function tableOf(lines: readonly string[]) {
  const [first, second, ...others] = lines.map((line) => line.trim())
  const hasHeader = second !== undefined && delimiterLine.test(second)
  const rows = hasHeader ? others : lines
  return { kind: 'table' as const, header: hasHeader ? cellsOf(first ?? '') : [], rows: rows.map(cellsOf) }
}

/** Returns a line of a table as text, and other lines as they are. */
export const readableLine = (line: string): string =>
  rowLine.test(line.trim())
    ? cellsOf(line)
        .filter((cell) => cell !== '')
        .join(' · ')
    : line.replace(itemLine, '$3')

/** Returns whether a line is this row of a table. */
export const isRow = (line: string, cells: readonly string[]): boolean =>
  rowLine.test(line.trim()) && JSON.stringify(cellsOf(line)) === JSON.stringify(cells)

function cellsOf(line: string): string[] {
  return line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}
