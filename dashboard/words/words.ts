/** The languages that the dashboard speaks. One more is a line here and, where the types then miss it, in every catalogue. */
const languages = ['en'] as const
export type Language = (typeof languages)[number]

/** What a room says, in each language: English sets the form that the others have to fill. */
export type Catalogue<T> = Readonly<Record<Language, T>>

/** The first of the reader's languages that the dashboard speaks. */
const language: Language = readersLanguages().flatMap((tag) => languages.filter((known) => known === tag.slice(0, 2)))[0] ?? 'en'

/** None outside of a browser. */
function readersLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : navigator.languages
}

/** The words of a room in the reader's language. */
export const useWords = <T>(catalogue: Catalogue<T>): T => catalogue[language]

/** The same outside of a component. */
export const wordsOf = <T>(catalogue: Catalogue<T>): T => catalogue[language]

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/**
 * Words that depend on a number, by the rules of the language: `counted('en')({ one: '# source', other: '# sources' })(3)`.
 * `#` stands for the number as the reader writes it.
 */
export function counted(of: Language): (forms: Forms) => (count: number) => string {
  const rules = new Intl.PluralRules(of)
  return (forms) => (count) => (forms[rules.select(count)] ?? forms.other).replace('#', count.toLocaleString())
}
