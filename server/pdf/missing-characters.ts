/** Scripts that are named instead of their characters (ISO 15924). */
const namedScripts =
  'Adlm Arab Armn Beng Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hani Hebr Hira Java Kana Khmr Knda Laoo Mlym Mong Mymr Nkoo Orya Sinh Syrc Taml Telu Thaa Thai Tibt Tfng Yiii'
    .split(' ')
    .map((code) => ({ code, characters: new RegExp(`\\p{Script=${code}}`, 'u') }))

const maxListed = 10

/** Returns a list such as `Tibetan, U+1F9A4`: the scripts of the characters, and the code points of characters of no listed script. */
export function describeCharacters(characters: Iterable<string>, language: string): string {
  const scripts = new Intl.DisplayNames([language, 'en'], { type: 'script' })
  const names = new Set<string>()
  for (const character of characters) {
    const script = namedScripts.find((each) => each.characters.test(character))
    names.add(script === undefined ? codePoint(character) : (scripts.of(script.code) ?? script.code))
  }
  const listed = [...names].slice(0, maxListed)
  return [...listed, ...(names.size > maxListed ? ['…'] : [])].join(', ')
}

const codePoint = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
