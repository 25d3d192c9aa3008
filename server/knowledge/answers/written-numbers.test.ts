import { describe, expect, it } from 'vitest'
import { writtenNumbers } from './written-numbers.ts'

describe('numbers as words', () => {
  it.each<[string, string, number[]]>([
    ['en', 'Twelve pounds, twenty-five euros, and two hundred and five steps.', [12, 25, 205]],
    ['en', 'Two thousand five hundred seats or twelve hundred; a million visitors.', [2500, 1200, 1_000_000]],
    ['en', 'Between twenty and thirty boats for two, three or four people.', [20, 30, 2, 3, 4]],
    ['en', 'One of the boats has a second oar; one hundred do.', [100]],
    ['en', 'Four twenty-pound notes, ten five-minute breaks.', [4, 20, 10, 5]],
    ['de', 'Zwölf Euro, fünfundzwanzig Boote, zweihundertfünfzig Plätze, im Jahrhundert der eine.', [12, 25, 250]],
    ['de', 'Dreißig, einundzwanzig, zweitausenddreihundert, drei Millionen.', [30, 21, 2300, 3_000_000]],
    ['es', 'Doce barcos, treinta y cinco euros, veintidós personas, dos mil quinientos, una hora.', [12, 35, 22, 2500]],
    ['fr', 'Quatre-vingt-dix-sept euros, soixante et onze, vingt et un, deux cents, mille deux cents.', [97, 71, 21, 200, 1200]],
    ['fr', 'Un bateau neuf pour dix-neuf personnes ou quatre-vingts.', [19, 80]],
    ['it', 'Ventotto euro, trentatré persone, centoventi, duemila, e lei sei qui.', [28, 33, 120, 2000]],
    ['pt', 'Vinte e cinco euros, duzentas pessoas, mil e duzentos, uma hora, três milhões.', [25, 200, 1200, 3_000_000]],
    ['nl', 'Vijfentwintig euro, drieëntwintig, tweehonderdvijftig, een boot, duizend.', [25, 23, 250, 1000]],
    ['fi', 'Kaksi venettä, two boats.', []],
  ])('%s: %s', (language, text, numbers) => {
    expect(writtenNumbers(text, language)).toEqual(numbers)
  })

  it('are none in an unknown language', () => expect(writtenNumbers('twelve pounds', null)).toEqual([]))
})

describe('Han numerals', () => {
  it.each<[string, number[]]>([
    ['押金三百五十元，十二个月，二〇二四年', [350, 12, 2024]],
    ['一万二千円、三千ポンド、五十', [12_000, 3000, 50]],
    ['两个人，三小时，千円', [2, 3, 1000]],
    ['一起出发，十分重要，万一下雨，一个人，一天，千万不要，百分之二十', [20]],
    ['三角形と四方、一人、再三', []],
  ])('%s', (text, numbers) => {
    expect(writtenNumbers(text, 'zh')).toEqual(numbers)
  })
})
