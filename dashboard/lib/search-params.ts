/** Readers of the part of an address behind `?`: what does not fit is left out, so that no address breaks a page. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined

export const oneOf = <const T extends string>(known: readonly T[], value: unknown): T | undefined => known.find((one) => one === value)
