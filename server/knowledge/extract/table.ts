import { cleanLine } from './clean.ts'

/** Rows as a Markdown table: the first is the header. Cells become one line, short rows are filled, empty columns and rows left out. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(cell)).filter((row) => row.some(Boolean))
  const width = Math.max(0, ...cells.map((row) => row.length))
  const used = Array.from({ length: width }, (_, column) => column).filter((column) => cells.some((row) => row[column]))
  const [header = [], ...body] = cells.map((row) => used.map((column) => row[column] ?? ''))
  if (header.length === 0) return ''
  return [line(header), line(header.map(() => '---')), ...body.map(line)].join('\n')
}

function line(row: readonly string[]): string {
  return `| ${row.join(' | ')} |`
}

function cell(text: string): string {
  return cleanLine(text).replaceAll('|', '\\|')
}
