import { spellingDistance, typingDistance } from '../contacts/name-distance.ts'
import { legalForms, legalPhrases } from '../companies/legal-forms.ts'

/** One of the forms in which the name of a company is compared. */
export interface NameForm {
  /** Words in lower case, without diacritics and legal forms. */
  readonly words: readonly string[]
  /** `typed` as in the name, `umlauts` with the letters that stand for umlauts, `latin` in Latin letters in place of another script. */
  readonly spelling: 'typed' | 'umlauts' | 'latin'
}

/** Words that many companies have in their names. Alone, they are no name. */
const commonWords = new Set(
  `hotel hotels hostel pension motel inn resort restaurant ristorante restaurante trattoria osteria pizzeria bistro brasserie cafe coffee bar pub
  gasthaus gasthof imbiss catering bakery backerei baeckerei konditorei metzgerei fleischerei butcher apotheke pharmacy pharmacie farmacia praxis
  arztpraxis zahnarzt zahnarztpraxis dentist dental clinic klinik klinikum hospital krankenhaus kanzlei anwaltskanzlei rechtsanwalt rechtsanwalte
  rechtsanwaelte steuerberater notar law lawyers attorneys salon friseur coiffeur barber beauty studio kosmetik fitness gym spa shop store markt
  supermarkt boutique kiosk garage autohaus werkstatt taxi tankstelle school schule kindergarten kita academy akademie university universitat
  universitaet verein club stiftung foundation museum theater gemeinde stadt bank sparkasse versicherung versicherungen insurance immobilien
  real estate hausverwaltung group gruppe groupe international global consulting beratung services service solutions systems
  software media design marketing agency agentur trading handel handels import export logistics logistik transport transporte bau builders
  construction architects architekten engineering technik technologies technology industries partner partners sons sohn sohne soehne bros brothers
  company firma business unternehmen selbstandig selbststandig freelance freelancer self employed privat private unknown unbekannt none na test
  of de la le les du des der die das den dem del di da do van von zu zum zur am an im in for fur fuer home web info mail`.split(/\s+/),
)

export const isCommonWord = (word: string): boolean => commonWords.has(word)

/** Returns the spellings of a name, the one with the letters that stand for its umlauts last. */
export function spellingsOf(name: string): string[] {
  const spaced = name.normalize('NFC').replaceAll(legalPhrases, ' ')
  const spelled = spaced.toLowerCase().replaceAll(/[äöüøå]/g, (letter) => umlauts[letter] ?? letter)
  return spelled === spaced.toLowerCase() ? [spaced] : [spaced, spelled]
}

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** Returns the words of a folded name, without legal forms. A name of nothing else stays. */
export function wordsOf(folded: readonly string[]): string[] {
  const words = joinInitials(folded)
  const kept = words.filter((word) => !legalForms.has(word))
  return kept.length === 0 ? words : kept
}

/** Returns the Latin spellings of the words of a folded name, without legal forms of its own script. */
export function latinWordsOf(folded: readonly string[], latin: readonly string[]): string[] {
  const kept = latin.filter((_, at) => !legalForms.has(folded[at] ?? ''))
  return wordsOf(kept.length === 0 ? latin : kept)
}

/** "S. A.", "g m b h" and "A & B" are one word. */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = []
  let isInitials = false
  for (const word of words) {
    const isInitial = word.length === 1 && /\p{L}/u.test(word) && !unspaced.test(word)
    if (isInitial && isInitials) joined.push(`${joined.pop() ?? ''}${word}`)
    else joined.push(word)
    isInitials = isInitial
  }
  return joined
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * How the names of two companies relate:
 * - `same` without legal forms, also with the words in another order
 * - `similar`: a typing error in a longer word, or another spelling
 * - `described`: one has further words that are common, such as "Hotel"
 * - `part`: one has further words, or both are nothing but the same common words
 * - `branch`: they have words in common, and each has others, such as two places
 * - `different`
 */
export type NameRelation = 'same' | 'similar' | 'described' | 'part' | 'branch' | 'different'

const order: readonly NameRelation[] = ['same', 'similar', 'described', 'part', 'branch', 'different']

export function compareCompanyNames(a: readonly NameForm[], b: readonly NameForm[]): NameRelation {
  const relations = new Set(a.flatMap((one) => b.map((other) => compareForms(one, other))))
  return order.find((relation) => relations.has(relation)) ?? 'different'
}

function compareForms(a: NameForm, b: NameForm): NameRelation {
  const isSame = lettersOf(a) === lettersOf(b) || sortedWords(a) === sortedWords(b)
  if (!isDistinctive(a) || !isDistinctive(b)) return isSame ? 'part' : 'different'
  if (isSame) return 'same'
  const [ofA, ofB] = [without(a.words, b.words), without(b.words, a.words)]
  const [oneOfA = '', oneOfB = ''] = [ofA, ofB].map((words) => (words.length === 1 ? words[0] : undefined))
  // "Müller" and "Möller" have longer spellings, which are not longer words.
  const isTyped = a.spelling === 'typed' && b.spelling === 'typed'
  if (isTyped && (isTypingError(oneOfA, oneOfB) || (ofA.length !== ofB.length && isTypingError(lettersOf(a), lettersOf(b)))))
    return 'similar'
  const isTranscribed = (a.spelling === 'latin') !== (b.spelling === 'latin')
  if (isTranscribed && isOtherSpelling(lettersOf(a), lettersOf(b))) return 'similar'
  const common = a.words.filter((word) => b.words.includes(word))
  if (!common.some((word) => !isCommonWord(word))) return 'different'
  if (ofA.length > 0 && ofB.length > 0) return 'branch'
  return [...ofA, ...ofB].every(isCommonWord) ? 'described' : 'part'
}

export const lettersOf = ({ words }: NameForm): string => words.join('')
export const sortedWords = ({ words }: NameForm): string => words.toSorted().join(' ')

/** Returns whether a name has a word that few companies have. */
export const isDistinctive = ({ words }: NameForm): boolean => words.some((word) => !isCommonWord(word))

function without(words: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return words.filter((word) => {
    const at = left.indexOf(word)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/** In shorter words, another letter gives another name. */
export const minTypedLength = 7

const isTypingError = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= minTypedLength && !/\d/.test(a + b) && typingDistance(a, b) <= 1

/** Returns whether the Latin spelling of a name in another script is close to a name. */
const isOtherSpelling = (a: string, b: string): boolean => Math.min(a.length, b.length) >= 6 && spellingDistance(a, b) < 0.7
