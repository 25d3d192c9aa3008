import type { Metadata } from '../source-metadata.ts'

/** Converts metadata to attributes. Attributes cannot be lists, so a list becomes text. */
export function toAttributes(metadata: Metadata): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [key, typeof value === 'number' || typeof value === 'boolean' ? value : textOf(value)]),
  )
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
