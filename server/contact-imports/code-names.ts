import { countryCodes } from '@groundwork/api'

const localesOfNames = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt']

/** Codes of languages whose names files contain. */
const languages =
  'ar bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km ko lt lv mk ml mr ms mt nb nl nn no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh'.split(
    ' ',
  )

/** Names that `Intl` does not use. */
const otherNames = { region: { usa: 'US', 'united states of america': 'US', uk: 'GB', 'great britain': 'GB', england: 'GB' }, language: {} }

const tables = new Map<string, Map<string, string>>()

/** Returns the code of a country or a language from its code, or from its name in one of seven languages; undefined if it is unknown. */
export function codeNamed(type: 'region' | 'language', text: string): string | undefined {
  const table = tables.get(type) ?? newTable(type)
  tables.set(type, table)
  return table.get(text.toLowerCase())
}

function newTable(type: 'region' | 'language'): Map<string, string> {
  const codes: readonly string[] = type === 'region' ? countryCodes : languages
  const named = localesOfNames.flatMap((locale) => {
    const names = new Intl.DisplayNames(locale, { type })
    return codes.map((code): [string, string] => [(names.of(code) ?? code).toLowerCase(), code])
  })
  return new Map([...named, ...Object.entries(otherNames[type]), ...codes.map((code): [string, string] => [code.toLowerCase(), code])])
}
