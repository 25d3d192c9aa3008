import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sentenceBreaks } from './sentence-breaks.ts'

const known = Array.from({ length: 0x2300 }, (_, unit) => String.fromCharCode(unit)).filter(
  (character) => sentenceBreaks(character) !== null,
)
/** Those that the rules name, more often. */
const frequent = `aZéÖжЖ09..!?"')»”„( \n,-:–—#…`.split('')
const texts = fc
  .array(fc.oneof(fc.constantFrom(...frequent), fc.constantFrom(...known)), { maxLength: 30 })
  .map((characters) => characters.join(''))

describe('the ends of sentences', () => {
  it.each(['en', 'de', 'el', 'fr', 'es', 'it', 'nl', 'pl', 'ru', 'tr', 'und'])('equal those of Intl.Segmenter in %s', (language) => {
    const segmenter = new Intl.Segmenter(language, { granularity: 'sentence' })
    const expected = (text: string): number[] =>
      Array.from(segmenter.segment(text.replaceAll(/[\r\n]/g, ' ')), ({ index, segment }) => index + segment.length)
    fc.assert(
      fc.property(texts, (text) => {
        expect(sentenceBreaks(text)).toEqual(expected(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('are left to the full rules for other characters', () => {
    for (const text of ['你好。', 'e\u0301.', 'שלום.', 'soft\u00adhyphen', '🚲', 'ไทย', '\u2028']) expect(sentenceBreaks(text)).toBeNull()
    expect(known.length).toBeGreaterThan(900)
  })

  it('are found in a text of prose', () => {
    const text = 'It costs £3.50 (approx.) or more. "Really?" he asked. See No. 5!\nThen go on.'
    expect(sentenceBreaks(text)?.map((end, at, all) => text.slice(all[at - 1] ?? 0, end).trim())).toEqual([
      'It costs £3.50 (approx.) or more.',
      '"Really?"',
      'he asked.',
      'See No.',
      '5!',
      'Then go on.',
    ])
  })
})
