import type { Part } from './draft.ts'
import { markdownTable } from './table.ts'
import { at, find, textOf, type XmlElement } from './xml.ts'

/** Returns a chart of an Office file: its title, and a table with one row for each category and one column for each series. */
export function chartParts(chart: XmlElement | undefined): Part[] {
  const title = at(chart, 'chartSpace', 'chart', 'title')
  const series = find(at(chart, 'chartSpace', 'chart', 'plotArea'), 'ser')
  const values = series.map((one) => points(at(one, 'val') ?? at(one, 'yVal')))
  const categories = series.map((one) => points(at(one, 'cat') ?? at(one, 'xVal'))).find((found) => found.size > 0) ?? new Map()
  const positions = [...new Set([...categories.keys(), ...values.flatMap((found) => [...found.keys()])])].toSorted((a, b) => a - b)
  const header = ['', ...series.map((one, position) => find(at(one, 'tx'), 'v').map(textOf).join(' ') || `Series ${position + 1}`)]
  const rows = positions.map((position) => [categories.get(position) ?? '', ...values.map((found) => found.get(position) ?? '')])
  const heading = find(title, 't').map(textOf).join('')
  return [
    ...(heading ? [{ kind: 'paragraph' as const, text: heading }] : []),
    ...(rows.length > 0 ? [{ kind: 'table' as const, text: markdownTable([header, ...rows]) }] : []),
  ]
}

function points(data: XmlElement | undefined): Map<number, string> {
  const levels = find(data, 'lvl')
  const source = levels.length > 0 ? levels.slice(0, 1) : [data]
  return new Map(
    source.flatMap((from) => find(from, 'pt').map((point) => [Number(point.attributes['idx']), readable(textOf(at(point, 'v')))] as const)),
  )
}

/** Rounds a value to the digits that were typed: files store 4.4 as 4.4000000000000004. */
function readable(value: string): string {
  return /^-?\d*\.\d{10,}$/.test(value) ? String(Number(Number(value).toPrecision(15))) : value
}
