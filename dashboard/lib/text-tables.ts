/** A part of a text: lines as they are, or a Markdown table. */
export type TextPart =
  | { kind: 'text'; text: string }
  /** `header` is empty where the table continues from an earlier text. */
  | { kind: 'table'; header: readonly string[]; rows: readonly (readonly string[])[] }

const rowLine = /^\|.*\|$/
const delimiterLine = /^\|(?:\s*:?-+:?\s*\|)+$/

/** Splits an extracted text into its tables, which are in Markdown, and the text around them. Drops the line breaks between them. */
export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = []
  let run: string[] = []
  let isTable = false
  const flush = (): void => {
    const joined = run.join('\n')
    if (isTable) parts.push(tableOf(run))
    else if (joined.trim() !== '') parts.push({ kind: 'text', text: joined.replace(/^\n+|\n+$/g, '') })
    run = []
  }
  for (const line of text.split('\n')) {
    const isLineOfTable = rowLine.test(line.trim())
    if (isLineOfTable !== isTable) {
      flush()
      isTable = isLineOfTable
    }
    run.push(line)
  }
  flush()
  return parts
}

function tableOf(lines: readonly string[]): TextPart {
  const [first, second, ...others] = lines.map((line) => line.trim())
  const hasHeader = second !== undefined && delimiterLine.test(second)
  const rows = hasHeader ? others : lines
  return { kind: 'table', header: hasHeader ? cellsOf(first ?? '') : [], rows: rows.map(cellsOf) }
}

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
