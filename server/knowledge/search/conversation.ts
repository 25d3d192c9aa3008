import type { SearchMessage } from '@groundwork/api'
import { stopWords } from './stop-words.ts'

/** What a search looks for. */
export interface Asked {
  /** The question itself. */
  readonly text: string
  /** Earlier questions that it leans on, the oldest first; empty where it stands on its own. */
  readonly earlier: string
}

/** As much of a turn as is searched for, and of the earlier ones together. */
const longestTurn = 4000
const longestEarlier = 1000
const mostEarlierTurns = 3

/**
 * The last question of the user, and those before it that it needs to be understood: back to the nearest one that stands on
 * its own, three at most. What the others said is left out.
 * @param messages oldest first, one of the user's with text among them
 */
export function askedIn(messages: readonly SearchMessage[]): Asked {
  const turns = messages.filter(({ role, content }) => role === 'user' && content !== '').map(({ content }) => content)
  const text = turns.at(-1) ?? ''
  const earlier: string[] = []
  for (let at = turns.length - 2; at >= 0 && earlier.length < mostEarlierTurns; at--) {
    if (!leans(earlier[0] ?? text)) break
    earlier.unshift(turns[at] ?? '')
  }
  return { text: whole(text.slice(0, longestTurn)), earlier: whole(earlier.join('\n').slice(-longestEarlier)) }
}

/** The text for an embedding, and what the caller is told that was searched for. */
export const searchedText = ({ text, earlier }: Asked): string => (earlier === '' ? text : `${earlier}\n${text}`)

/**
 * Whether a question goes on from another one: it has hardly a word of its own, begins as a continuation, or is short and
 * points back with a pronoun. English, German, Spanish, French, Italian, Portuguese and Dutch are known; what is short is so
 * in any language.
 */
export function leans(text: string): boolean {
  const words = wordsOf(text)
  const own = words.filter((word) => !common.has(word)).reduce((sum, word) => sum + weightOf(word), 0)
  return own <= 1 || continuing.has(words[0] ?? '') || opening.test(text) || (own <= 4 && words.some((word) => pointing.has(word)))
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []

/** Scripts without spaces give whole clauses as one word. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}ー]/u
const weightOf = (word: string): number => (unspaced.test(word) ? Math.ceil(word.length / 4) : 1)

const common = new Set([...stopWords.values()].flatMap((words) => [...words]).concat('much', 'many', 'please', 'ok', 'okay', 'yes', 'no'))
const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))
const continuing = listed(`and but or also then und aber oder auch dann y o pero también entonces et mais ou aussi alors e ma anche allora
  mas também então en maar of ook dan`)
const opening = /^\W*(?:what|how) about\b/i
const pointing = listed(`it its they them their this that these those he she him her his one ones dafür davon dazu damit dabei dort ihn
  ihm ihnen diese dieser dieses diesen eso esto ese esa ello ellos ellas allí ça cela ceci celui celle ceux questo questa quello quella
  ciò isso isto esse essa ele ela eles elas dit deze daar daarvoor ervan`)

/** Without the half of a character that a cut may have left at either end. */
const whole = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '').trim()
