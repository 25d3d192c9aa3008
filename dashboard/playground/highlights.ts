import type { SearchHit } from '@groundwork/api'

export interface Piece {
  text: string
  /** Whether the text matches a word of the question. */
  matched: boolean
}

/** Returns the sentences or table rows of a passage that best answer the question; undefined if there are none. */
export const bestAnswer = ({ text, highlights: [best] }: SearchHit): string | undefined => best && text.slice(best.start, best.end)

const wordForm = /[\p{L}\p{N}]+/gu
/** Scripts without spaces between words: matches can start and end anywhere. */
const unspaced = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/u

/** Splits a passage at the words of the question, in any form of these words. */
export function highlighted(passage: string, words: readonly string[]): Piece[] {
  const wanted = words.map((word) => word.toLocaleLowerCase()).filter((word) => word !== '')
  const [spaced, within] = [wanted.filter((word) => !unspaced.test(word)), wanted.filter((word) => unspaced.test(word))]
  const pieces: Piece[] = []
  const add = (text: string, matched: boolean): void => {
    const last = pieces.at(-1)
    if (text === '') return
    if (last?.matched === matched && !matched) last.text += text
    else pieces.push({ text, matched })
  }
  let end = 0
  for (const { 0: word, index } of passage.matchAll(wordForm)) {
    add(passage.slice(end, index), false)
    end = index + word.length
    if (unspaced.test(word)) for (const part of partsOf(word, within)) add(part.text, part.matched)
    else
      add(
        word,
        spaced.some((wantedWord) => sameWord(wantedWord, word.toLocaleLowerCase())),
      )
  }
  add(passage.slice(end), false)
  return pieces
}

function partsOf(text: string, within: readonly string[]): Piece[] {
  const found = within.map((word) => ({ word, at: text.indexOf(word) })).filter(({ at }) => at !== -1)
  const [first] = found.toSorted((a, b) => a.at - b.at)
  if (first === undefined) return [{ text, matched: false }]
  const end = first.at + first.word.length
  return [{ text: text.slice(0, first.at), matched: false }, { text: first.word, matched: true }, ...partsOf(text.slice(end), within)]
}

const shortEnding = /^(?:e?s|ed|er|ing|(.)\1?(?:ing|ed|er))$/u

/** Returns whether two words are probably forms of the same word. Approximates the stems that the server compares but does not return. */
function sameWord(word: string, other: string): boolean {
  const [short, long] = word.length <= other.length ? [word, other] : [other, word]
  if (short === long) return true
  if (short.length < 3 || /\p{N}/u.test(long)) return false
  if (short.length === 3) return long.startsWith(short) && shortEnding.test(long.slice(3))
  const shared = [...short].findIndex((letter, at) => letter !== long[at])
  const prefix = shared === -1 ? short.length : shared
  return prefix >= Math.max(4, short.length - 1) && long.length - prefix <= 4
}
