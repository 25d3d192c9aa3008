import { soundForm } from '../contacts/name-distance.ts'
import { titles } from '../contacts/name-titles.ts'

/** The name of a contact in the forms by which it is compared. */
export interface PersonName {
  readonly first: NamePart
  readonly last: NamePart
  /** Generation suffix: `junior`, `senior`, `second` or `third`; null without one. */
  readonly generation: string | null
  /** Its numbers, as in “Room 12”; empty without one. */
  readonly numbers: string
}

export interface NamePart {
  /** Words in lower case, without diacritics. */
  readonly words: readonly string[]
  /** Latin spellings of the words, if they are in another script or have umlauts. */
  readonly latin: readonly (readonly string[])[]
}

/** The result of the SQL function `contact_name_forms` for a name with letters beyond ASCII. */
export interface NameForms {
  readonly words: readonly string[]
  readonly latin: readonly string[]
}

const generations: Readonly<Record<string, string>> = {
  jr: 'junior',
  jun: 'junior',
  junior: 'junior',
  sr: 'senior',
  sen: 'senior',
  senior: 'senior',
  ii: 'second',
  iii: 'third',
}

const particles = new Set('von van vom zu zum zur de der den del della di da do dos la le el al y und'.split(' '))

/**
 * Divides a name into its words, its generation suffix and its numbers, without titles.
 * @param forms results of `contact_name_forms`; null for a part in ASCII
 */
export function personName(
  { firstName, lastName }: { readonly firstName: string | null; readonly lastName: string | null },
  forms: { readonly first: NameForms | null; readonly last: NameForms | null },
): PersonName {
  const [first, last] = [partOf(firstName, forms.first), partOf(lastName, forms.last)]
  const words = [...first.words, ...last.words]
  const generation = words.map((word) => generations[word]).find((each) => each !== undefined)
  const numbers = words.filter((word) => /^[0-9]+$/.test(word)).join(' ')
  return { first: withoutAffixes(first), last: withoutAffixes(last), generation: generation ?? null, numbers }
}

/** Returns the words of one part of a name. An email address in a name field is ignored. */
function partOf(text: string | null, forms: NameForms | null): NamePart {
  if (text === null || text.includes('@')) return { words: [], latin: [] }
  if (forms === null) {
    const words = text.toLowerCase().replaceAll(/['`]/g, '').split(/[^a-z0-9]+/) // prettier-ignore
    return { words: words.filter((word) => word !== ''), latin: [] }
  }
  // `forms.words` has these words first, then further forms of hyphenated ones: their parts, and both joined.
  const count = text.trim().split(/[\s\-\u2010-\u2015.,]+/).filter((word) => word !== '').length // prettier-ignore
  const words = forms.words.slice(0, Math.max(count, 1))
  const latin = forms.latin.slice(0, words.length)
  // Latin spellings beyond the number of words are alternative spellings of the whole surname.
  const others = forms.latin.slice(words.length).map((other) => [other])
  return { words, latin: latin.length === 0 ? [] : [latin, ...others] }
}

function withoutAffixes({ words, latin }: NamePart): NamePart {
  const isKept = (word: string): boolean => !titles.has(word) && generations[word] === undefined && /[^0-9]/.test(word)
  if (words.every(isKept)) return { words, latin }
  return { words: words.filter(isKept), latin: latin.map((spelling) => spelling.filter(isKept)) }
}

export const withoutParticles = (words: readonly string[]): readonly string[] => {
  const kept = words.filter((word) => !particles.has(word))
  return kept.length === 0 ? words : kept
}

/** Returns phonetic keys of the words of a name. Wrong vowels and other spellings of a sound usually give the same key. */
export function soundsOf({ first, last }: PersonName): string[] {
  const words = [first, last].flatMap((part) => [part.words, ...part.latin].flatMap(withoutParticles))
  return [...new Set(words.filter((word) => word.length > 1).map(sound))]
}

function sound(word: string): string {
  const consonants = soundForm(word)
    .replaceAll(/[pfv]/g, 'b')
    .replaceAll('d', 't')
    .replaceAll(/[zZS]/g, 's')
    .replaceAll(/[gqcK]/g, 'k')
    .replaceAll(/[aeiouyhwj]/g, '')
    .replaceAll(/(.)\1+/g, '$1')
  return consonants === '' ? word : consonants
}
