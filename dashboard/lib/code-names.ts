import { countryCodes } from '@groundwork/api/countries'
import { currencyCodes } from '@groundwork/api/currencies'

type CodeType = 'language' | 'region' | 'currency'

/** Names by type. Making them takes a fraction of a millisecond, and lists need hundreds of names. */
const names = new Map<CodeType, Intl.DisplayNames>()

/** Returns the name of a language, a region or a currency; the code if the browser does not know it. */
export function nameOfCode(type: CodeType, code: string): string {
  const known = names.get(type) ?? new Intl.DisplayNames(undefined, { type })
  names.set(type, known)
  try {
    return known.of(code) ?? code
  } catch {
    return code
  }
}

const languages =
  'ar bg bn cs da de el en es et fa fi fr ga he hi hr hu id is it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sq sr sv sw ta th tr uk ur vi zh zh-Hans zh-Hant'.split(
    ' ',
  )

interface Option {
  value: string
  label: string
}

const optionsOf = (type: CodeType, codes: readonly string[]): Option[] =>
  codes.map((code) => ({ value: code, label: nameOfCode(type, code) })).toSorted((a, b) => a.label.localeCompare(b.label))

/** Keeps the result for each value, because sorting hundreds of names takes milliseconds and fields ask at each rendering. */
function cached<T>(make: (present: string | null) => T): (present: string | null) => T {
  const made = new Map<string | null, T>()
  return (present) => {
    const result = made.get(present) ?? make(present)
    made.set(present, result)
    return result
  }
}

/** Returns languages by their names, with the present one. */
export const languageOptions = cached((present) =>
  optionsOf('language', [...new Set([...languages, ...(present === null ? [] : [present])])]),
)

/** Returns the countries by their names, with the present one. */
export const countryOptions = cached((present) =>
  optionsOf('region', [...new Set([...countryCodes, ...(present === null ? [] : [present])])]),
)

/** Returns the currencies that the API accepts, with their names. */
export const currencyOptions = (): Option[] =>
  currencyCodes.map((code) => ({ value: code, label: `${code} – ${nameOfCode('currency', code)}` }))

/** Returns the time zones that the browser knows, with the present one. */
export const timeZoneOptions = cached((present) =>
  [...new Set([...(present === null ? [] : [present]), 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
    value: zone,
    label: zone.replaceAll('_', ' '),
  })),
)
