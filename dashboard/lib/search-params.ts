/** Parsers of URL parameters. They return undefined for invalid values, so that no URL breaks a page. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

/** The most characters of a search. */
export const maxSearch = 200

/** A searched text, cut to the length that the API takes. */
export const optionalSearch = (value: unknown): string | undefined => optionalText(value)?.slice(0, maxSearch)

const idForm = /^[a-z]{2,4}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of a record. @param prefixes of the kinds of records that the parameter can name, such as `ctc`; any without them */
export function optionalId(value: unknown, ...prefixes: readonly string[]): string | undefined {
  const text = optionalText(value)?.trim()
  if (text === undefined || !idForm.test(text)) return undefined
  return prefixes.length === 0 || prefixes.includes(text.split('_', 1)[0] ?? '') ? text : undefined
}

const amountForm = /^\d{1,12}(?:\.\d{1,2})?$/

/** An amount as a decimal string, such as `1200.00`. */
export function optionalAmount(value: unknown): string | undefined {
  const text = optionalText(value)
  return text !== undefined && amountForm.test(text) ? text : undefined
}

export const oneOf = <const T extends string>(known: readonly T[], value: unknown): T | undefined =>
  known.find((option) => option === value)

/** Reads a list of strings. A single string counts as a list. */
export function optionalTexts(value: unknown): string[] | undefined {
  const texts = [value].flat().flatMap((item) => optionalText(item) ?? [])
  return texts.length === 0 ? undefined : texts
}

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/

/** A time with its offset, such as `2026-05-25T20:14:00Z`. */
export const optionalTime = (value: unknown): string | undefined =>
  typeof value === 'string' && timeForm.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** A day such as `2026-05-25`. */
export const optionalDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Returns the search parameters of a changed list, which keep the saved view that it began with. */
export const searchIn = <List extends object>(view: { id: string } | undefined, list: List): List & { view?: string; edited?: boolean } =>
  view === undefined ? list : { view: view.id, edited: true, ...list }
