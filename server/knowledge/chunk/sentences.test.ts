import { describe, expect, it } from 'vitest'
import { sentenceSplitter } from './sentences.ts'

function sentences(language: string | null, text: string): string[] {
  return sentenceSplitter(language)(text, 0, text.length).map(({ start, end }) => text.slice(start, end))
}

describe('sentenceSplitter', () => {
  it.each([
    [
      'en',
      [
        'Dr. Smith met Mr. J. R. Brown at the U.S. Embassy.',
        'They had tea, e.g. Earl Grey.',
        '"Really?" she asked.',
        'See Fig. 3 and No. 5.',
        'He said no.',
        'It cost $3.50!',
      ],
    ],
    ['de', ['Am 3. Oktober 1990 war z.B. Herr Dr. Müller in Berlin.', 'Das steht in Nr. 7 des Anhangs.', 'Er kam 1990.', 'Dann ging er.']],
    ['fr', ['M. Dupont est là.', 'Voir p. 5.', 'Il part.']],
    ['es', ['El Sr. García llegó.', '¿Dónde está la Sra. López?', 'Aquí.']],
    [null, ['One sentence.', 'Another one.']],
    ['not a language', ['One sentence.', 'Another one.']],
  ])('%s', (language, expected) => {
    expect(sentences(language, expected.join(' '))).toEqual(expected)
  })

  it('needs no spaces in Chinese and Japanese', () => {
    expect(sentences('zh', '今天很好。我们走吧!好吗?')).toEqual(['今天很好。', '我们走吧!', '好吗?'])
    expect(sentences('ja', '猫である。名前はまだ無い。')).toEqual(['猫である。', '名前はまだ無い。'])
  })

  it('does not end a sentence at a line break', () => {
    expect(sentences('en', 'This sentence\nis wrapped. The next\none too.')).toEqual(['This sentence\nis wrapped.', 'The next\none too.'])
  })

  it('finds the same sentences in a text of many windows', () => {
    const expected = Array.from({ length: 2_000 }, (_, i) => `Sentence ${i} tells of pump ${i}.`)
    expect(sentences('en', expected.join(' '))).toEqual(expected)
  })
})
