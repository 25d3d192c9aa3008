/** Returns the names of a language or a region; the code if the browser does not know it. */
export function nameOfCode(type: 'language' | 'region', code: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type }).of(code) ?? code
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

const optionsOf = (type: 'language' | 'region', codes: readonly string[]): Option[] =>
  codes.map((code) => ({ value: code, label: nameOfCode(type, code) })).toSorted((a, b) => a.label.localeCompare(b.label))

/** Returns languages by their names, with the present one. */
export const languageOptions = (present: string | null): Option[] =>
  optionsOf('language', [...new Set([...languages, ...(present === null ? [] : [present])])])

/** Returns the countries by their names, with the present one: all codes of two letters for which the browser knows a name. */
export function countryOptions(present: string | null): Option[] {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index))
  const named = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => isCountry(code))
  return optionsOf('region', [...new Set([...named, ...(present === null ? [] : [present])])])
}

/** Codes of groups of countries and of former countries, which the browser names too. */
const others = new Set(
  'AC AN BU CP CS DD DG DY EA EU EZ FQ FX HV IC JT MI NH NQ NT PC PU PZ QO QU RH SU TA TP UK UN VD WK XA XB YD YU ZR ZZ'.split(' '),
)
const isCountry = (code: string): boolean => !others.has(code) && nameOfCode('region', code) !== code
