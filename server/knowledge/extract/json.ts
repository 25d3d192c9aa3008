import { textOf } from './decode.ts'
import type { Draft, ExtractInput, Part } from './draft.ts'
import { recordParts, type Data } from './records.ts'

/** Extracts JSON or JSON Lines: values under their key paths, lists of similar objects as tables. */
export function extractJson({ bytes, contentType }: ExtractInput): Draft {
  const value = parseJson(textOf(bytes, contentType))
  const parts: Part[] = recordParts(value === undefined ? null : value)
  return { parts, title: titleOf(value) }
}

/** Parses JSON or JSON Lines; returns undefined for other text. Numbers with more digits than a double become strings. */
export function parseJson(text: string): Data | undefined {
  const whole = parseValue(text)
  if (whole !== undefined) return whole
  const lines = text.split('\n').filter((line) => line.trim())
  if (lines.length < 2 || !/^\s*[[{]/.test(lines[0] ?? '')) return undefined
  const values: Data[] = []
  for (const line of lines) {
    const value = parseValue(line)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

function parseValue(text: string): Data | undefined {
  const exact = text
    .replace(/^\uFEFF/, '')
    .replace(/("(?:[^"\\]+|\\.)*")|(-?\d[\d.eE+-]{15,})/g, (_, string: string | undefined, number: string) => string ?? `"${number}"`)
  try {
    return JSON.parse(exact) as Data
  } catch {
    return undefined
  }
}

function titleOf(value: Data | undefined): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const title = (value as { title?: Data; name?: Data }).title ?? (value as { name?: Data }).name
  return typeof title === 'string' ? title : null
}
