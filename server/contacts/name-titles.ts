/** Forms of address and academic degrees in lower case, without diacritics and full stops. None of them is a usual name. */
export const titles: ReadonlySet<string> = new Set(
  [
    'mr mrs ms miss mx sir madam mister dr prof professor phd msc bsc mba',
    'herr frau fraulein hr fr dipl ing mag med',
    'monsieur madame mademoiselle mme mlle senor senora senorita srta sra dra signor signore signora signorina dott dottssa',
    'dhr mevr mevrouw meneer mw fru pani panna inz mgr',
    'г-н г-жа господин госпожа 先生 女士 小姐 太太 博士 教授 さん 様 さま 殿 씨 님 선생님 คุณ श्री श्रीमती السيد السيدة',
  ]
    .join(' ')
    .split(' '),
)

/** Titles that are also names, initials or suffixes. */
const ambiguousTitles: ReadonlySet<string> = new Set('m mm sr don dom dona pan sig lord lady'.split(' '))

/** Parts of a title of several words, such as "Dr. rer. nat.". */
const laterParts: ReadonlySet<string> = new Set('phil rer nat jur habil univ'.split(' '))

/** Titles that follow a name without a space. */
const endings = /(?:先生|女士|小姐|太太|博士|教授|さん|さま|様|殿|선생님|씨|님)$/u

/**
 * Returns a name without forms of address and academic degrees; undefined if it has none, or nothing else. Some of them are names too, as
 * in "Don Draper", so look for the whole name first.
 */
export function withoutTitles(name: string): string | undefined {
  if (name.includes('@')) return undefined
  const words = name.split(/[\s.,;()/]+/).filter((word) => word !== '')
  const rest: string[] = []
  let followsTitle = false
  for (const word of words) {
    const plain = plainForm(word)
    followsTitle = isTitle(plain) || (followsTitle && laterParts.has(plain))
    if (!followsTitle) rest.push(word.replace(endings, '') || word)
  }
  return rest.length === 0 || rest.join(' ') === words.join(' ') ? undefined : rest.join(' ')
}

/** "Dipl-Ing" has two titles. */
const isTitle = (word: string): boolean =>
  titles.has(word) || ambiguousTitles.has(word) || (word.includes('-') && word.split('-').every((part) => titles.has(part)))

const plainForm = (word: string): string =>
  word
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/^-+|-+$/g, '')
