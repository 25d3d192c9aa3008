import { SourceError } from '../../lib/errors.ts'
import type { Part } from './draft.ts'
import { markdownTable } from './table.ts'

/** A JSON value. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data }

type Fields = { readonly [key: string]: Data }

const limits = { depth: 40, cell: 200, columns: 40, record: 2_000 }

/**
 * Converts data to text in which each line can stand alone: `order.customer.name: Dana`. The scalar values of one object are
 * one paragraph; a list of scalars is one line; a list of objects with the same few keys is a table.
 */
export function recordParts(value: Data, path = '', depth = 0): Part[] {
  if (depth > limits.depth) return [line(path, asJson(value).slice(0, 10_000))]
  if (isPlain(value)) return isNothing(value) ? [] : [line(path, String(value))]
  if (isList(value)) return listParts(value, path, depth)
  const entries = Object.entries(value)
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

/**
 * Converts a list, see `recordParts`.
 * @param list iterated several times; its values may be made on the way
 * @throws SourceError too_large
 */
export function listParts(list: Iterable<Data>, path = '', depth = 0): Part[] {
  const scalars = scalarsOf(list)
  if (scalars !== null) return scalars === '' ? [] : [line(path, scalars)]
  const keys = columnsOf(list)
  if (keys !== null) {
    const text = markdownTable(rowsOf(list, keys))
    return [...(path ? [{ kind: 'paragraph' as const, text: `${path}:` }] : []), { kind: 'table', text }]
  }
  const parts: Part[] = []
  let at = 0
  for (const value of list) {
    for (const part of together(recordParts(value, `${path}[${at}]`, depth + 1))) parts.push(part)
    at++
  }
  return parts
}

/** Returns the fields of a short record as one paragraph. */
function together(record: readonly Part[]): readonly Part[] {
  const length = record.reduce((sum, { text }) => sum + text.length, 0)
  if (record.length < 2 || length > limits.record || record.some(({ kind }) => kind !== 'paragraph')) return record
  return [{ kind: 'paragraph', text: record.map(({ text }) => text).join('\n') }]
}

/** Returns the columns of a list that is a table: objects with the same few keys and short values; null for other lists. */
function columnsOf(list: Iterable<Data>): string[] | null {
  const keys = new Set<string>()
  let [rows, filled] = [0, 0]
  for (const row of list) {
    if (!isFields(row)) return null
    rows++
    for (const [key, value] of Object.entries(row)) {
      if ((plainText(value)?.length ?? Infinity) > limits.cell) return null
      keys.add(key)
      filled++
    }
    if (keys.size > limits.columns) return null
  }
  return rows > 1 && filled >= 0.5 * keys.size * rows ? [...keys] : null
}

function rowsOf(list: Iterable<Data>, keys: readonly string[]): Iterable<string[]> {
  return {
    *[Symbol.iterator]() {
      yield [...keys]
      for (const row of list) if (isFields(row)) yield keys.map((key) => plainText(row[key] ?? null) ?? '')
    },
  }
}

/** Returns a scalar, or a list of scalars, as one line; null for other values. */
function plainText(value: Data): string | null {
  if (isPlain(value)) return isNothing(value) ? '' : String(value)
  return isList(value) ? scalarsOf(value) : null
}

/** Returns a list of scalars as one line; null for other lists. */
function scalarsOf(list: Iterable<Data>): string | null {
  const texts: string[] = []
  for (const value of list) {
    if (!isPlain(value)) return null
    if (!isNothing(value)) texts.push(String(value))
  }
  return texts.join(', ')
}

/** @throws SourceError too_large */
function asJson(value: Data): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    // The only error of JSON values: the stack ends before the nesting does.
    throw new SourceError('too_large', 'The JSON in the file nests deeper than is read.', { cause })
  }
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

function isList(value: Data): value is readonly Data[] {
  return Array.isArray(value)
}

function isFields(value: Data): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
