import type { SearchMessage } from '@groundwork/api'
import { stopWords } from '../index/stop-words.ts'

/** The question of a conversation. */
export interface ConversationQuery {
  /** The question itself. */
  readonly text: string
  /** Earlier questions that it refers to, oldest first; empty for a standalone question. */
  readonly earlier: string
}

/** Maximum characters of the question, and of the earlier questions together. */
const maxQuestionLength = 4000
const maxEarlierLength = 1000
const maxEarlierTurns = 3

/**
 * Returns the last question of the user and the earlier questions that it depends on: back to the nearest standalone
 * question, at most three. Messages of other roles are ignored.
 * @param messages oldest first, with at least one message of the user that has text
 */
export function conversationQuery(messages: readonly SearchMessage[]): ConversationQuery {
  const turns = messages.filter(({ role, content }) => role === 'user' && content !== '').map(({ content }) => content)
  const text = turns.at(-1) ?? ''
  const earlier: string[] = []
  for (let at = turns.length - 2; at >= 0 && earlier.length < maxEarlierTurns; at--) {
    if (!isFollowUp(earlier[0] ?? text)) break
    earlier.unshift(turns[at] ?? '')
  }
  return {
    text: withoutHalfCharacters(text.slice(0, maxQuestionLength)),
    earlier: withoutHalfCharacters(earlier.join('\n').slice(-maxEarlierLength)),
  }
}

/** Returns the text to embed, which the reply reports as `query`. */
export const searchedText = ({ text, earlier }: ConversationQuery): string => (earlier === '' ? text : `${earlier}\n${text}`)

/**
 * Returns whether a question depends on an earlier one: it has at most one content word, begins like a continuation, or is
 * short and has a pronoun. Knows English, German, Spanish, French, Italian, Portuguese and Dutch; the length applies to any
 * language.
 */
export function isFollowUp(text: string): boolean {
  const words = wordsOf(text)
  const own = words.filter((word) => !common.has(word)).reduce((sum, word) => sum + weightOf(word), 0)
  return own <= 1 || conjunctions.has(words[0] ?? '') || opening.test(text) || (own <= 4 && words.some((word) => pronouns.has(word)))
}

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []

/** In scripts without spaces, a whole clause is one match. */
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}ー]/u
const weightOf = (word: string): number => (unspaced.test(word) ? Math.ceil(word.length / 4) : 1)

const common = new Set([...stopWords.values()].flatMap((words) => [...words]).concat('much', 'many', 'please', 'ok', 'okay', 'yes', 'no'))
const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))
const conjunctions = listed(`and but or also then und aber oder auch dann y o pero también entonces et mais ou aussi alors e ma anche allora
  mas também então en maar of ook dan`)
const opening = /^\W*(?:what|how) about\b/i
const pronouns = listed(`it its they them their this that these those he she him her his one ones dafür davon dazu damit dabei dort ihn
  ihm ihnen diese dieser dieses diesen eso esto ese esa ello ellos ellas allí ça cela ceci celui celle ceux questo questa quello quella
  ciò isso isto esse essa ele ela eles elas dit deze daar daarvoor ervan`)

/** Removes half of a surrogate pair that a cut left at either end. */
const withoutHalfCharacters = (text: string): string => text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '').trim()
