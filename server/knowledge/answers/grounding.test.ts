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
