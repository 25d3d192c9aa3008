/** Marks text that was struck through, such as a former price, as Markdown does. Space around it stays outside. */
export const struckText = (text: string): string => text.replace(/\S(?:[\s\S]*\S)?/, (struck) => `~~${struck}~~`)

/** Joins texts of one line. Struck texts that follow each other directly are one. */
export const joinTexts = (texts: readonly string[]): string => texts.join('').replaceAll('~~~~', '')

/** Returns the text of a link, with the telephone number or the email address that it leads to if the text does not have it. */
export function linkText(text: string, target: string | null): string {
  const [, scheme, rest = ''] = /^\s*(tel|mailto):([^?]*)/i.exec(target ?? '') ?? []
  if (scheme === undefined) return text
  const address = decoded(rest).trim()
  const isShown = scheme.toLowerCase() === 'tel' ? shownNumber(text, address) : text.toLowerCase().includes(address.toLowerCase())
  if (isShown || !isAddress.test(address)) return text
  return text.trim() === '' ? address : text.replace(/\s*$/, (space) => ` (${address})${space}`)
}

/** A telephone number or an email address. */
const isAddress = /^(?:\+?\d[\d\s().-]{2,24}|[^\s@<>()]{1,64}@[^\s@<>()]{1,190})$/

/** A text shows a number if it has its last digits: it can have another prefix, such as 0 for +44. */
function shownNumber(text: string, number: string): boolean {
  const digitsOf = (value: string): string => value.replace(/\D/g, '')
  return digitsOf(text).includes(digitsOf(number).slice(-6))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not encoded.
    return text
  }
}
