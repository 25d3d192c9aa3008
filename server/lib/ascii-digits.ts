const otherDigits = /(?![0-9])\p{Nd}/gu
const isDigit = (code: number): boolean => /^\p{Nd}$/u.test(String.fromCodePoint(code))

/** Replaces the decimal digits of any script with ASCII digits. */
export function withAsciiDigits(text: string): string {
  return text.replaceAll(otherDigits, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    // Unicode encodes the decimal digits of each script from 0 to 9 without gaps, and the mathematical ones five times in a row.
    let first = code
    while (isDigit(first - 1)) first--
    return String((code - first) % 10)
  })
}
