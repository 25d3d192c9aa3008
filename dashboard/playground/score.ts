/** A score, 0 to 1, as it is shown. */
export const score = (value: number): string => value.toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
