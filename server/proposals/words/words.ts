import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

export type ProposalWords = typeof en

const languages: Readonly<Record<string, ProposalWords>> = { en, de, fr, es }

/** Returns the labels for a BCP 47 tag: German for `de` and `de-AT`, English for null and for all other languages. */
export function wordsOf(language: string | null): ProposalWords {
  const primary = language?.split('-', 1)[0]?.toLowerCase() ?? 'en'
  return Object.hasOwn(languages, primary) ? (languages[primary] ?? en) : en
}

/**
 * Returns the BCP 47 tag for numbers and dates beside the labels of `wordsOf`: the given tag, such as `de-AT`, if the labels
 * have its language, and otherwise the language of the labels.
 */
export function localeOf(language: string | null): string {
  const words = wordsOf(language)
  if (language === null || language.split('-', 1)[0]?.toLowerCase() !== words.language) return words.language
  try {
    return Intl.getCanonicalLocales(language)[0] ?? words.language
  } catch {
    // The tag has the form of a language, but no region or script that Intl knows.
    return words.language
  }
}
