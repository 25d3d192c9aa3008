/** Digits before the decimal point of the largest number that a custom field can have. */
const maxDigits = 16

/**
 * Returns the ranges of numbers with common first digits that cover the range, as `facet_ranges` in the database writes them: `<+5:12` has
 * the numbers from 12,000 to 12,999.99.
 */
export function digitRanges(min: number, max: number): string[] {
  const ranges: string[] = []
  const [least, most] = [Math.trunc(min), Math.trunc(max)]
  if (max >= 0) addRanges(ranges, '+', Math.max(least, 0), most)
  if (min < 0) addRanges(ranges, '-', Math.max(-most, 0), -least)
  return ranges
}

function addRanges(ranges: string[], sign: '+' | '-', least: number, most: number): void {
  for (let length = 1; length <= maxDigits; length += 1) addWithin('', length)

  function addWithin(digits: string, length: number): void {
    const first = digits === '' && length > 1 ? 10 ** (length - 1) : Number(digits.padEnd(length, '0'))
    const last = Number(digits.padEnd(length, '9'))
    if (last < least || first > most) return
    if (first >= least && last <= most) ranges.push(`<${sign}${length}:${digits}`)
    else for (const digit of '0123456789') addWithin(digits + digit, length)
  }
}
