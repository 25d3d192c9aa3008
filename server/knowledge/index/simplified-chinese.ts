import characters from 'opencc-js/dict/TSCharacters'

/** The simplified forms of traditional characters. */
const forms = new Map(characters.split('|').map((entry): [string, string] => [entry.split(' ')[0] ?? '', entry.split(' ')[1] ?? '']))

/** Returns a text with simplified Chinese characters. Each character stays one character. */
export function simplified(text: string): string {
  let result = ''
  for (const character of text) result += forms.get(character) ?? character
  return result
}
