/** The vowel sign am of a script, its two halves, and the tone marks that can stand between these. */
interface Am {
  readonly sign: string
  readonly halves: readonly [string, string]
  readonly divided: RegExp
}

/**
 * The vowel sign am of Thai and Lao. NFKC divides it in two, but the dictionaries of ICU have words with the sign: they divide
 * จำนวน correctly, and the same word with two halves as จํา and นวน.
 */
const ams: readonly Am[] = [
  { sign: '\u0e33', halves: ['\u0e4d', '\u0e32'], divided: /\u0e4d([\u0e48-\u0e4b]?)\u0e32/g },
  { sign: '\u0eb3', halves: ['\u0ecd', '\u0eb2'], divided: /\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g },
]

/** Returns a text in NFKC with the vowel signs am of Thai and Lao as one character. */
export const composed = (text: string): string => ams.reduce((result, { sign, divided }) => result.replaceAll(divided, `$1${sign}`), text)

/** Returns the term of a part of a composed run in an index of text in NFKC: of a bigram, the halves next to each other. */
export function decomposedTerm(part: string): string {
  const am = ams.find(({ sign }) => part.includes(sign))
  if (am === undefined) return part
  const { sign, halves } = am
  const [one = '', other = '', ...rest] = part
  if (other === '' || rest.length > 0) return part.replaceAll(sign, halves.join(''))
  return (one === sign ? halves[1] : one) + (other === sign ? halves[0] : other)
}
