import { once } from '../lib/once.ts'

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

/** Returns messages in the language of the user. Functions isolate names in right-to-left scripts. */
export const useMessages = <T>(catalog: Messages<T>): T => messagesOf(catalog)

/** Returns messages in the language of the user, outside of components. */
export function messagesOf<T>(catalog: Messages<T>): T {
  const messages = isolating(catalog[language])
  return messages
}

const isolatingCopies = new WeakMap<object, object>()

/**
 * Returns a copy of the messages whose functions isolate their text arguments. Otherwise, an Arabic or Hebrew name would reorder the
 * numbers and punctuation beside it. The copy has the same type, because isolated text is text.
 */
function isolating<T>(messages: T): T {
  if (typeof messages !== 'object' && typeof messages !== 'function') return messages
  if (messages === null || Array.isArray(messages)) return messages
  const copy = isolatingCopies.get(messages) ?? copyOf(messages)
  isolatingCopies.set(messages, copy)
  return copy as T
}

function copyOf(messages: object): object {
  if (typeof messages !== 'function') return Object.fromEntries(Object.entries(messages).map(([key, value]) => [key, isolating(value)]))
  const of = messages as (...values: unknown[]) => unknown
  return (...values: unknown[]) => of(...values.map((value) => (typeof value === 'string' ? isolated(value) : value)))
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

/** Returns the text between a first strong isolate and its end, as `<bdi>` does, if it has letters of a right-to-left script. */
export const isolated = (text: string): string => (rightToLeft.test(text) ? `\u2068${text}\u2069` : text)

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/**
 * Returns a function that selects a plural form by the rules of the language: `counted('en')({ one: '# source', other: '# sources' })(3)`.
 * `#` is replaced by the number in the format of the browser’s locale.
 */
export function counted(locale: Language): (forms: Forms) => (count: number) => string {
  const rules = once(() => new Intl.PluralRules(locale))
  return (forms) => (count) => (forms[rules().select(count)] ?? forms.other).replace('#', count.toLocaleString())
}
