/** Readers of the part of an address behind `?`: what does not fit is left out, so that no address breaks a page. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export const oneOf = <const T extends string>(known: readonly T[], value: unknown): T | undefined => known.find((one) => one === value)

/** Texts of a list; one alone counts as a list of one. */
export function optionalTexts(value: unknown): string[] | undefined {
  const texts = [value].flat().flatMap((one) => optionalText(one) ?? [])
  return texts.length === 0 ? undefined : texts
}

/** A day such as `2026-05-25`. */
export const optionalDay = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined
