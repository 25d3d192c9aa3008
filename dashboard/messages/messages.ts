/** The languages of the dashboard. After you add one, the type checker reports each message file that misses it. */
const languages = ['en'] as const
export type Language = (typeof languages)[number]

/** The messages of a module in each language. English defines the type of the others. */
export type Messages<T> = Readonly<Record<Language, T>>

/** The first preferred language of the browser that the dashboard supports. */
const language: Language = preferredLanguages().flatMap((tag) => languages.filter((known) => known === tag.slice(0, 2)))[0] ?? 'en'

/** Returns the preferred languages of the browser, or an empty list outside of browsers. */
function preferredLanguages(): readonly string[] {
  return typeof navigator === 'undefined' ? [] : navigator.languages
}

/** Returns messages in the language of the user. */
export const useMessages = <T>(catalogue: Messages<T>): T => catalogue[language]

/** Returns messages in the language of the user, outside of components. */
export const messagesOf = <T>(catalogue: Messages<T>): T => catalogue[language]

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/**
 * Returns a function that selects a plural form by the rules of the language: `counted('en')({ one: '# source', other: '# sources' })(3)`.
 * `#` is replaced by the number in the format of the browser’s locale.
 */
export function counted(locale: Language): (forms: Forms) => (count: number) => string {
  const rules = new Intl.PluralRules(locale)
  return (forms) => (count) => (forms[rules.select(count)] ?? forms.other).replace('#', count.toLocaleString())
}
