/** Formats a score from 0 to 1 with two decimals. */
export const score = (value: number): string => value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
