import type { Part } from './draft.ts'
import { markdownTable } from './table.ts'

/** A JSON value. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data }

type Fields = { readonly [key: string]: Data }

const limits = { depth: 40, cell: 200, columns: 40 }

/**
 * Converts data to text in which each line can stand alone: `order.customer.name: Dana`. The scalar values of one object are
 * one paragraph; a list of scalars is one line; a list of objects with the same few keys is a table.
 */
export function recordParts(value: Data, path = '', depth = 0): Part[] {
  if (depth > limits.depth) return [line(path, JSON.stringify(value).slice(0, 10_000))]
  if (isPlain(value)) return isNothing(value) ? [] : [line(path, String(value))]
  if (Array.isArray(value)) return listParts(value as readonly Data[], path, depth)
  const fields = value as Fields
  const entries = Object.entries(fields)
  const plain = entries.flatMap(([key, inner]) => {
    const text = plainText(inner)
    return text === null || text === '' ? [] : [label(join(path, key), text)]
  })
  const nested = entries.filter(([, inner]) => plainText(inner) === null)
  return [
    ...(plain.length > 0 ? [{ kind: 'paragraph' as const, text: plain.join('\n') }] : []),
    ...nested.flatMap(([key, inner]) => recordParts(inner, join(path, key), depth + 1)),
  ]
}

function listParts(list: readonly Data[], path: string, depth: number): Part[] {
  const text = plainText(list)
  if (text !== null) return text === '' ? [] : [line(path, text)]
  const rows = list.filter(isFields)
  if (rows.length > 1 && rows.length === list.length) {
    const keys = [...new Set(rows.flatMap(Object.keys))]
    const filled = rows.reduce((sum, row) => sum + Object.keys(row).length, 0)
    const flat = rows.every((row) => Object.values(row).every((inner) => (plainText(inner)?.length ?? Infinity) <= limits.cell))
    if (flat && keys.length <= limits.columns && filled >= 0.5 * keys.length * rows.length) {
      const table = markdownTable([keys, ...rows.map((row) => keys.map((key) => plainText(row[key] ?? null) ?? ''))])
      return [...(path ? [{ kind: 'paragraph' as const, text: `${path}:` }] : []), { kind: 'table', text: table }]
    }
  }
  return list.flatMap((inner, at) => recordParts(inner, `${path}[${at}]`, depth + 1))
}

/** Returns a scalar, or a list of scalars, as one line; null for other values. */
function plainText(value: Data): string | null {
  if (isPlain(value)) return isNothing(value) ? '' : String(value)
  if (!Array.isArray(value)) return null
  const list = value as readonly Data[]
  return list.every(isPlain) ? list.filter((inner) => !isNothing(inner)).join(', ') : null
}

function line(path: string, text: string): Part {
  return { kind: 'paragraph', text: path ? label(path, text) : text }
}

function label(path: string, text: string): string {
  return `${path}: ${text.replace(/\n\s*\n/g, '\n')}`
}

function join(path: string, key: string): string {
  return path ? `${path}.${key}` : key
}

function isPlain(value: Data): value is string | number | boolean | null {
  return typeof value !== 'object' || value === null
}

function isNothing(value: Data): boolean {
  return value === null || value === ''
}

function isFields(value: Data): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
