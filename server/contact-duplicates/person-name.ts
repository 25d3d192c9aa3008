import { soundForm } from '../contacts/name-distance.ts'

/** The name of a contact in the forms by which it is compared. */
export interface PersonName {
  readonly first: NamePart
  readonly last: NamePart
  /** What tells a parent from a child with the same name. */
  readonly generation: string | null
}

export interface NamePart {
  /** Folded words. */
  readonly words: readonly string[]
  /** Latin spellings of the words, if they are in another script or have umlauts. */
  readonly latin: readonly (readonly string[])[]
}

/** What the SQL function `contact_name_forms` returns for a name with letters beyond ASCII. */
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

const titles = new Set('dr prof professor mr mrs ms miss sir herr frau hr fr ing dipl mag med phd msc bsc mba'.split(' '))
const particles = new Set('von van vom zu zum zur de der den del della di da do dos la le el al y und'.split(' '))

/**
 * Divides a name into words, without titles.
 * @param forms of the parts with letters beyond ASCII
 */
export function personName(
  { firstName, lastName }: { readonly firstName: string | null; readonly lastName: string | null },
  forms: { readonly first: NameForms | null; readonly last: NameForms | null },
): PersonName {
  const [first, last] = [partOf(firstName, forms.first), partOf(lastName, forms.last)]
  const generation = [...first.words, ...last.words].map((word) => generations[word]).find((each) => each !== undefined)
  return { first: withoutTitles(first), last: withoutTitles(last), generation: generation ?? null }
}

/** An address in the place of a name is no name. */
function partOf(text: string | null, forms: NameForms | null): NamePart {
  if (text === null || text.includes('@')) return { words: [], latin: [] }
  if (forms === null) {
    const words = text.toLowerCase().replaceAll(/['`]/g, '').split(/[^a-z0-9]+/) // prettier-ignore
    return { words: words.filter((word) => word !== ''), latin: [] }
  }
  // The parts of hyphenated words follow, also joined.
  const count = text.trim().split(/[\s\-\u2010-\u2015.,]+/).filter((word) => word !== '').length // prettier-ignore
  const words = forms.words.slice(0, Math.max(count, 1))
  const latin = forms.latin.slice(0, words.length)
  // A surname that is spelled otherwise than the same letter in other words follows the spellings.
  const others = forms.latin.slice(words.length).map((other) => [other])
  return { words, latin: latin.length === 0 ? [] : [latin, ...others] }
}

function withoutTitles({ words, latin }: NamePart): NamePart {
  const isKept = (word: string): boolean => !titles.has(word) && generations[word] === undefined && /[^0-9]/.test(word)
  if (words.every(isKept)) return { words, latin }
  return { words: words.filter(isKept), latin: latin.map((spelling) => spelling.filter(isKept)) }
}

export const withoutParticles = (words: readonly string[]): readonly string[] => {
  const kept = words.filter((word) => !particles.has(word))
  return kept.length === 0 ? words : kept
}

/** Returns the sounds of the words of a name, which typing errors in vowels and other spellings leave. */
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
