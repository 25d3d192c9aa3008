import { stemmer as snowball } from '@orama/stemmers/arabic'
/** Shorter words keep their letters. */
const minLetters = 4

/** Combining marks and the elongation sign. */
const marks = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
const letters: readonly [RegExp, string][] = [
  [/[\u0622\u0623\u0625\u0671]/g, '\u0627'],
  [/\u0624/g, '\u0648'],
  [/[\u0626\u0649\u06cc]/g, '\u064a'],
  [/\u0629/g, '\u0647'],
  [/\u06a9/g, '\u0643'],
]

/** Returns a word in Arabic script without vowel marks, and with one form of alef, yeh, kaf and teh marbuta. */
export function normalizeArabic(word: string): string {
  let bare = word.replaceAll(marks, '')
  for (const [variants, letter] of letters) bare = bare.replaceAll(variants, letter)
  return bare
}

const articles = /^(?:[وبكف]?ال|لل)(?=.{3})/

/** Returns the stem of a normalized Arabic word: without the conjunction "and" and the article, by the Snowball stemmer. */
export function stemArabic(word: string): string {
  const bare = word.length > minLetters ? word.replace(/^و/, '') : word
  return snowball(bare.replace(articles, ''))
}
