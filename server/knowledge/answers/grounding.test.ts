import { expect, it } from 'vitest'
import { groundingIn } from './grounding.ts'

const supports = (passage: string, sentence: string, language: string | null): boolean =>
  groundingIn([passage], '', language).supporting(sentence, [0]).length > 0

it.each([
  ['إيجار القارب 12 جنيها في الساعة.', 'إيجار القارب ١٢ جنيها في الساعة.', 'ar'],
  ['إيجار القارب ١٢ جنيها في الساعة.', 'إيجار القارب 12 جنيها في الساعة.', 'ar'],
  ['ค่าเช่าเรือ ๑๒ ปอนด์', 'ค่าเช่าเรือ 12 ปอนด์', 'th'],
  ['ボートは１２ポンドです。', 'ボートは12ポンドです。', 'ja'],
])('%s supports the same number in other digits: %s', (passage, sentence, language) => {
  expect(supports(passage, sentence, language)).toBe(true)
  expect(supports(passage, sentence.replace(/2|２|٢|๒/u, '3'), language)).toBe(false)
})

it.each([
  ['The rowing boat costs twelve pounds.', 'The rowing boat costs {} pounds.', ['twelve', '12'], ['twenty', '20', 'twelve hundred'], 'en'],
  ['The rowing boat costs 12 pounds.', 'The rowing boat costs {} pounds.', ['twelve'], ['twenty'], 'en'],
  ['Das Ruderboot kostet fünfundzwanzig Euro.', 'Das Ruderboot kostet {} Euro.', ['25', 'fünfundzwanzig'], ['20', 'fünf'], 'de'],
  ['ボートの保証金は三百五十円です。', 'ボートの保証金は{}円です。', ['350', '３５０', '三百五十'], ['三百', '五'], 'ja'],
])('%s supports no other number in words', (passage, sentence, supported, others, language) => {
  const outcome = (number: string): boolean => supports(passage, sentence.replace('{}', number), language)
  expect(supported.filter(outcome)).toEqual(supported)
  expect(others.filter(outcome)).toEqual([])
})

it('does not take pronouns, articles and other words for numbers', () => {
  expect(supports('A rowing boat has a cabin and costs 12 pounds.', 'A rowing boat costs 12 pounds, and has one cabin.', 'en')).toBe(true)
  expect(supports('押金十分重要，请和船票一起支付。', '请一起支付押金和船票，押金十分重要。', 'zh')).toBe(true)
})
