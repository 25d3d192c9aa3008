import { textOf } from './decode.ts'
import type { Draft, ExtractInput } from './draft.ts'
import { recordParts, listParts, type Data } from './records.ts'

/**
 * Extracts JSON or JSON Lines: values under their key paths, lists of similar objects as tables. Invalid JSON, or an invalid line, counts
 * as null, without an error.
 */
export function extractJson({ bytes, contentType }: ExtractInput): Draft {
  const text = withoutBom(textOf(bytes, contentType))
  if (isJsonLines(text)) return { parts: listParts({ [Symbol.iterator]: () => valuesOf(text) }) }
  const value = parseValue(text) ?? null
  return { parts: recordParts(value), title: titleOf(value) }
}

/** Returns whether text is JSON or JSON Lines. */
export function isJson(text: string): boolean {
  const json = withoutBom(text)
  if (!isJsonLines(json)) return parseValue(json) !== undefined
  for (const line of linesOf(json)) if (parseValue(line) === undefined) return false
  return true
}

/**
 * Returns true if there are several non-empty lines and the first is a complete object or array, which is impossible in a single JSON
 * value.
 */
function isJsonLines(text: string): boolean {
  const lines = linesOf(text)
  const first = lines.next().value ?? ''
  return /^\s*[[{]/.test(first) && lines.next().done !== true && parseValue(first) !== undefined
}

/** Yields the values of JSON Lines, parsed one at a time: a million objects take more memory than their text. */
function* valuesOf(text: string): Generator<Data, undefined> {
  for (const line of linesOf(text)) yield parseValue(line) ?? null
}

function* linesOf(text: string): Generator<string, undefined> {
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start)
    const end = feed === -1 ? text.length : feed
    const line = text.slice(start, end)
    if (line.trim()) yield line
    start = end + 1
  }
}

function withoutBom(text: string): string {
  return text.replace(/^\uFEFF/, '')
}

function parseValue(text: string): Data | undefined {
  try {
    return JSON.parse(withExactNumbers(text)) as Data
  } catch {
    return undefined
  }
}

const longNumber = /-?\d[\d.eE+-]{15,}/g

/**
 * Quotes every number literal of 16 or more characters (without the minus sign), so that `JSON.parse` cannot round it. Some of these
 * numbers would also fit a double. Text inside strings is unchanged.
 */
function withExactNumbers(json: string): string {
  if (json.search(longNumber) === -1) return json
  let exact = ''
  let copied = 0
  for (let at = 0; at < json.length;) {
    const quote = json.indexOf('"', at)
    const open = quote === -1 ? json.length : quote
    const between = json.slice(at, open)
    if (between.search(longNumber) !== -1) {
      exact += json.slice(copied, at) + between.replace(longNumber, '"$&"')
      copied = open
    }
    at = quote === -1 ? json.length : stringEnd(json, quote)
  }
  return exact + json.slice(copied)
}

/** Returns the end of the string that a quote opens. */
function stringEnd(json: string, quote: number): number {
  for (let at = json.indexOf('"', quote + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let escapes = at
    while (json[escapes - 1] === '\\') escapes--
    if ((at - escapes) % 2 === 0) return at + 1
  }
  return json.length
}

function titleOf(value: Data): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const title = (value as { title?: Data; name?: Data }).title ?? (value as { name?: Data }).name
  return typeof title === 'string' ? title : null
}
