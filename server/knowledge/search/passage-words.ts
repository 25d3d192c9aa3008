import { characters, characterTable, wordCharacter } from '../chunk/characters.ts'
import { analyze } from '../index/analyze.ts'
import { wordKindsOf } from './answer-type.ts'

/** Letters that similar terms have in common. */
export const prefixLength = 4
/** Bit of a stop word in the kinds of a word. The other bits are `wordKinds`. */
export const stopWord = 256

const wordPattern = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?/gu

/** A word, as highlights compare it. */
export interface Word {
  /** Its index terms; a word of a script without spaces has several, a stop word has its lower-case form. */
  readonly keys: readonly string[]
  readonly isStopWord: boolean
  /** The first letters of its term; empty for shorter terms, stop words and scripts without spaces. */
  readonly prefix: string
  /** A sum of `wordKinds`. */
  readonly kinds: number
}

/** Returns the words of a text, in order. @param language a result of `analysisLanguage` */
export const wordsOf = (text: string, language: string): Word[] => (text.match(wordPattern) ?? []).map((word) => wordOf(word, language))

function wordOf(spelling: string, language: string): Word {
  const terms = analyze(spelling, language)
  const isStopWord = terms.length === 0
  const [term = ''] = terms
  const prefix = terms.length === 1 && term.length >= prefixLength ? term.slice(0, prefixLength) : ''
  return { keys: isStopWord ? [spelling.toLowerCase()] : terms, isStopWord, prefix, kinds: wordKindsOf(spelling) }
}

/** Words as numbers of a vocabulary, in three arrays. A question reuses its list for all passages. */
const initialLength = 512

export class WordList {
  length = 0
  /** Numbers of the terms; a negative number stands for several, see `Vocabulary.termsOf`. */
  terms = new Int32Array(initialLength)
  /** Sums of `wordKinds` and `stopWord`. */
  kinds = new Int32Array(initialLength)
  /** Numbers of the prefixes; 0 without a prefix. */
  prefixes = new Int32Array(initialLength)

  push(term: number, kinds: number, prefix: number): void {
    if (this.length === this.terms.length)
      [this.terms, this.kinds, this.prefixes] = [doubled(this.terms), doubled(this.kinds), doubled(this.prefixes)]
    this.terms[this.length] = term
    this.kinds[this.length] = kinds
    this.prefixes[this.length] = prefix
    this.length += 1
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(array.length * 2)
  longer.set(array)
  return longer
}

/** Numbers of a slot: two hashes of the spelling, the term, the kinds, the prefix. */
const slotLength = 5
const minSlots = 4096
/** Longer words, such as clauses of a script without spaces, hardly ever occur twice. */
const maxKeptLength = 24
const maxWords = 50_000
const maxTerms = 100_000

/**
 * The words of one language by their spelling, with numbers for their terms. Most time of highlights is spent on looking up words,
 * and most of that on memory: a word is one line of the processor's cache, and needs no string. Words whose two hashes of 32
 * bits are equal are not told apart.
 */
export class Vocabulary {
  readonly #language: string
  readonly #terms: string[] = ['']
  readonly #numbers = new Map<string, number>()
  readonly #several: (readonly number[])[] = []
  #slots = new Int32Array(minSlots * slotLength)
  #words = 0

  constructor(language: string) {
    this.#language = language
  }

  get isFull(): boolean {
    return this.#words > maxWords || this.#terms.length > maxTerms || this.#several.length > maxTerms
  }

  /** Returns the number of a term or prefix, from 1 on. */
  numberOf(term: string): number {
    let number = this.#numbers.get(term)
    if (number === undefined) this.#numbers.set(term, (number = this.#terms.push(term) - 1))
    return number
  }

  termOf(number: number): string {
    return this.#terms[number] ?? ''
  }

  /** Returns the numbers that a negative number stands for. */
  termsOf(number: number): readonly number[] {
    return this.#several[-number - 1] ?? []
  }

  /** Appends the words of a span of a text to a list. */
  read(text: string, start: number, end: number, list: WordList): void {
    const classes = characterTable()
    for (let at = start; at < end;) {
      const unit = classes[text.charCodeAt(at)] ?? 0
      if (unit === characters.surrogate) {
        for (const [spelling] of text.slice(at, end).matchAll(wordPattern)) this.#push(wordOf(spelling, this.#language), list)
        return
      }
      if ((unit & wordCharacter) === 0) at += 1
      else at = this.#readWord(text, at, end, classes, list)
    }
  }

  /** Appends the word that begins at `start`, and returns its end. */
  #readWord(text: string, start: number, limit: number, classes: Uint8Array, list: WordList): number {
    const end = wordEnd(text, start, limit, classes)
    const next = isApostrophe(text.charCodeAt(end)) ? end + 1 : end
    if (next < limit && classes[text.charCodeAt(next)] === characters.surrogate) {
      // A letter beyond the basic plane may continue the word.
      const [spelling = ''] = text.slice(start, limit).match(wordPattern) ?? []
      this.#push(wordOf(spelling, this.#language), list)
      return start + spelling.length
    }
    if (end - start > maxKeptLength) this.#push(wordOf(text.slice(start, end), this.#language), list)
    else this.#pushKept(text, start, end, list)
    return end
  }

  #pushKept(text: string, start: number, end: number, list: WordList): void {
    let [first, second] = [7, 13]
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at)
      first = (Math.imul(first, 31) + unit) | 0
      second = Math.imul(second ^ unit, 0x01000193)
    }
    let at = this.#slotOf(first, second)
    if (this.#slots[at + 2] === 0) {
      this.#words += 1
      if (this.#words * slotLength * 2 > this.#slots.length) {
        this.#grow()
        at = this.#slotOf(first, second)
      }
      const { term, kinds, prefix } = this.#numbered(wordOf(text.slice(start, end), this.#language))
      this.#slots.set([first, second, term, kinds, prefix], at)
    }
    list.push(this.#slots[at + 2] ?? 0, this.#slots[at + 3] ?? 0, this.#slots[at + 4] ?? 0)
  }

  /** Returns the place of a word, or of the free slot for it. */
  #slotOf(first: number, second: number): number {
    const slots = this.#slots
    const mask = slots.length / slotLength - 1
    for (let slot = (first ^ (first >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * slotLength
      if (slots[at + 2] === 0 || (slots[at] === first && slots[at + 1] === second)) return at
    }
  }

  #grow(): void {
    const former = this.#slots
    this.#slots = new Int32Array(former.length * 2)
    for (let at = 0; at < former.length; at += slotLength) {
      if (former[at + 2] !== 0) this.#slots.set(former.subarray(at, at + slotLength), this.#slotOf(former[at] ?? 0, former[at + 1] ?? 0))
    }
  }

  #push(word: Word, list: WordList): void {
    const { term, kinds, prefix } = this.#numbered(word)
    list.push(term, kinds, prefix)
  }

  #numbered({ keys, isStopWord, prefix, kinds }: Word): { term: number; kinds: number; prefix: number } {
    const numbers = keys.map((key) => this.numberOf(key))
    return {
      term: numbers.length === 1 && numbers[0] !== undefined ? numbers[0] : -this.#several.push(numbers),
      kinds: isStopWord ? kinds | stopWord : kinds,
      prefix: prefix === '' ? 0 : this.numberOf(prefix),
    }
  }
}

/** Returns the end of the match of `wordPattern` that begins with a word character, up to a surrogate. */
function wordEnd(text: string, start: number, limit: number, classes: Uint8Array): number {
  let end = start + 1
  while (end < limit && ((classes[text.charCodeAt(end)] ?? 0) & wordCharacter) !== 0) end++
  if (end >= limit || !isApostrophe(text.charCodeAt(end))) return end
  let after = end + 1
  while (after < limit && classes[text.charCodeAt(after)] === characters.letter) after++
  return after === end + 1 ? end : after
}

const isApostrophe = (unit: number): boolean => unit === 0x27 || unit === 0x2019

const vocabularies = new Map<string, Vocabulary>()

/** Returns the vocabulary of a language. A question keeps it for all its passages, because a full one is replaced. */
export function vocabularyOf(language: string): Vocabulary {
  let vocabulary = vocabularies.get(language)
  if (vocabulary === undefined || vocabulary.isFull) vocabularies.set(language, (vocabulary = new Vocabulary(language)))
  return vocabulary
}
