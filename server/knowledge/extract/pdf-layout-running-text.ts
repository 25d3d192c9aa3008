/** Returns the numbers at the ends of a line: `12 FREE CULTURE`, `PIRACY 33`, `xi`. */
export function pageNumbers(line: string): { number: number; isRoman: boolean }[] {
  const text = line.trim()
  const ends = [/^\W{0,3}(\d{1,4}|[ivxlc]{1,7})(?=[^\w.)]|$)/.exec(text)?.[1], /(?:^|\W)(\d{1,4}|[ivxlc]{1,7})\W{0,3}$/.exec(text)?.[1]]
  return ends.flatMap((end) => {
    if (end === undefined) return []
    const isRoman = !/\d/.test(end)
    return [{ number: isRoman ? romanValue(end) : Number(end), isRoman }]
  })
}

function romanValue(text: string): number {
  const values: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 }
  const digits = [...text].map((letter) => values[letter] ?? 0)
  return digits.reduce((sum, digit, at) => sum + (digit < (digits[at + 1] ?? 0) ? -digit : digit), 0)
}

/**
 * Returns whether a line is `17`, `– 17 –`, `Page 17 of 20`, `17 BRITISH HUSBANDRY` or `Chapter 3 | 17`: a number at one end of
 * a short line that is not a sentence.
 */
export function hasPageNumber(line: string): boolean {
  const text = line.trim()
  if (/^\W*(?:page|seite|página|pagina)?\W*\d{1,4}(?:\s*(?:of|von|de|di|\/)\s*\d{1,4})?\W*$/i.test(text)) return true
  if (/^[ivxlc]{1,7}$/i.test(text)) return true
  return text.length < 80 && (/^\d{1,4}\s{0,3}[|•·–—-]?\s*\p{Lu}[\p{Lu}\s.,'’&[\]-]{5,}/u.test(text) || /\s[|•·–—]\s*\d{1,4}$/.test(text))
}

/** Returns the whole line and its first and last words: a header contains the chapter, its number, and then the section. */
export function wordingsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .replace(/[\d\p{P}\p{S}]+/gu, ' ')
    .trim()
    .split(/\s+/)
  const whole = words.join(' ')
  const numbered = /\d/.test(text) && words[0] ? [`${words[0]} #`] : []
  return words.length < 4
    ? [whole, ...numbered]
    : [whole, ...numbered, `${words.slice(0, 2).join(' ')} …`, `… ${words.slice(-2).join(' ')}`]
}
