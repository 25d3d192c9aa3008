/** Parsers of URL parameters. They return undefined for invalid values, so that no URL breaks a page. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export const oneOf = <const T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((option) => option === value)

/** Reads a list of strings. A single string counts as a list. */
export function optionalTexts(value: unknown): string[] | undefined {
  const texts = [value].flat().flatMap((item) => optionalText(item) ?? [])
  return texts.length === 0 ? undefined : texts
}

/** A day such as `2026-05-25`. */
export const optionalDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
