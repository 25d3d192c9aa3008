import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analysisLanguage } from '../index/analyze.ts'
import { stopWord, Vocabulary, WordList, wordsOf } from './passage-words.ts'

const characters = [
  'a',
  'a',
  'b',
  'D',
  'é',
  'ß',
  'Œ',
  'ж',
  'Я',
  '0',
  '9',
  '’',
  "'",
  ' ',
  ' ',
  '.',
  '-',
  '\u0301',
  '中',
  '文',
  'あ',
  'ا',
  '𝒳',
  '🚲',
  '\ud800',
]
const texts = fc.array(fc.constantFrom(...characters), { maxLength: 60 }).map((parts) => parts.join(''))

function read(vocabulary: Vocabulary, text: string, start = 0, end = text.length) {
  const list = new WordList()
  vocabulary.read(text, start, end, list)
  return Array.from({ length: list.length }, (_, at) => {
    const [term = 0, kinds = 0, prefix = 0] = [list.terms[at], list.kinds[at], list.prefixes[at]]
    const keys = term > 0 ? [term] : vocabulary.termsOf(term)
    return {
      keys: keys.map((each) => vocabulary.termOf(each)),
      isStopWord: (kinds & stopWord) !== 0,
      prefix: vocabulary.termOf(prefix),
      kinds: kinds & ~stopWord,
    }
  })
}

describe('the words of a passage by number', () => {
  it.each(['en', 'de', 'zh', 'ar'])('are those of the text, in %s', (language) => {
    const analysis = analysisLanguage(language)
    const vocabulary = new Vocabulary(analysis)
    fc.assert(
      fc.property(texts, (text) => {
        expect(read(vocabulary, text)).toEqual(wordsOf(text, analysis))
      }),
      { numRuns: 1000 },
    )
  })

  it('are those of a span only', () => {
    const text = "The rider's bikes, and others'"
    expect(read(new Vocabulary('en'), text, 4, 9)).toEqual(wordsOf('rider', 'en'))
    expect(read(new Vocabulary('en'), text, 4, 11)).toEqual(wordsOf("rider's", 'en'))
  })

  it('keep their numbers while the vocabulary grows, until it is full', () => {
    const vocabulary = new Vocabulary('en')
    const first = vocabulary.numberOf('bike')
    const text = Array.from({ length: 60_000 }, (_, n) => `word${n}`).join(' ')
    expect(vocabulary.isFull).toBe(false)
    expect(read(vocabulary, text).at(-1)?.keys).toEqual(['word59999'])
    expect(read(vocabulary, 'word7 bikes').map(({ keys }) => keys)).toEqual([['word7'], ['bike']])
    expect([vocabulary.numberOf('bike'), vocabulary.isFull]).toEqual([first, true])
  })
})
