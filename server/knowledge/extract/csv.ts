import { textOf } from './decode.ts'
import type { Draft, ExtractInput } from './draft.ts'
import { markdownTable } from './table.ts'

const delimiters = [',', ';', '\t', '|'] as const

/** Extracts delimited text as one table. A quote that is never closed counts as an ordinary character, so it cannot swallow the rest. */
export function extractCsv({ bytes, contentType }: ExtractInput): Draft {
  const text = textOf(bytes, contentType)
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
  const delimiter = sniffDelimiter(text) ?? ','
  const rows = { [Symbol.iterator]: () => parseRows(text, delimiter) }
  return { parts: [{ kind: 'table', text: markdownTable(rows) }] }
}

/** Returns the delimiter that occurs equally often in most of the first lines; null if there is none. */
export function sniffDelimiter(text: string): string | null {
  const head = text.slice(0, 64 * 1024)
  let best: { delimiter: string; score: number } | null = null
  for (const delimiter of delimiters) {
    const widths = [...parseRows(head, delimiter)].slice(0, 50).map((row) => row.length)
    const usual = mode(widths)
    if (usual < 2) continue
    const score = (widths.filter((width) => width === usual).length / widths.length) * Math.min(usual, 4)
    if (!best || score > best.score) best = { delimiter, score }
  }
  return best?.delimiter ?? null
}

function mode(numbers: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}

/** Yields rows by RFC 4180, leniently: a quoted cell that is not closed within `maxCellLength` characters is read as an unquoted one. */
function* parseRows(text: string, delimiter: string): Generator<string[], undefined> {
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    const quoted = text[at] === '"' ? quotedCell(text, at, delimiter) : null
    const end = quoted ? quoted.end : plainEnd(text, at, delimiter)
    row.push(quoted ? quoted.text : text.slice(at, end))
    if (text[end] !== delimiter) {
      if (row.length > 1 || row[0]?.trim()) yield row
      row = []
    } else if (end === text.length - 1) row.push('')
    at = end + 1
  }
  if (row.length > 0) yield row
}

const maxCellLength = 32 * 1024

function quotedCell(text: string, start: number, delimiter: string): { text: string; end: number } | null {
  for (let at = text.indexOf('"', start + 1); at !== -1 && at - start < maxCellLength; at = text.indexOf('"', at + 1)) {
    if (text[at + 1] === '"') at++
    else {
      const next = text[at + 1]
      return next === undefined || next === delimiter || next === '\n'
        ? { text: text.slice(start + 1, at).replaceAll('""', '"'), end: at + 1 }
        : null
    }
  }
  return null
}

function plainEnd(text: string, start: number, delimiter: string): number {
  let at = start
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at++
  return at
}
