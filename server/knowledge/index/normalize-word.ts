import { normalizeArabic } from './arabic-stemmer.ts'

const hebrewMarks = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/g
const hebrewFinals: Readonly<Record<string, string>> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' }

/** Returns a word without marks and letter forms that do not change its meaning, in scripts other than Latin. */
export function normalizeWord(word: string): string {
  const first = word.codePointAt(0) ?? 0
  if (first >= 0x590 && first < 0x600)
    return word.replaceAll(hebrewMarks, '').replace(/[ךםןףץ]/g, (letter) => hebrewFinals[letter] ?? letter)
  if (first >= 0x600 && first < 0x780) return normalizeArabic(word)
  if (first >= 0x900 && first < 0x980) return normalizeDevanagari(word)
  return word
}

/** Removes nukta signs, and writes nasal consonants before another consonant, and candrabindu, as anusvara. */
function normalizeDevanagari(word: string): string {
  return word
    .replaceAll('\u093c', '')
    .replaceAll('\u0901', '\u0902')
    .replaceAll(/[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])/g, '\u0902')
}
