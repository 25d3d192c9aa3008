import { numberWordsOf, type NumberWords } from './number-words.ts'

/** A number of which words were read. */
interface Spoken {
  /** The value up to the last word for thousand or million. */
  readonly scaled: number
  /** That word's value. */
  readonly scale: number
  /** The value after it. */
  readonly rest: number
}

const nothing: Spoken = { scaled: 0, scale: Infinity, rest: 0 }

/** Returns the number with one more word; null if the word begins another number. */
function extended({ scaled, scale, rest }: Spoken, value: number, { countsTwenties }: NumberWords): Spoken | null {
  if (value >= 1000) {
    if (value >= scale || (rest === 0 && scaled > 0)) return null
    return { scaled: scaled + Math.max(rest, 1) * value, scale: value, rest: 0 }
  }
  if (value === 100 && rest > 0) return rest < 100 ? { scaled, scale, rest: rest * 100 } : null
  if (countsTwenties && value === 20 && rest % 100 === 4) return { scaled, scale, rest: rest + 76 }
  return value < limit(rest, countsTwenties) ? { scaled, scale, rest: rest + value } : null
}

/** Returns the value that the next word must be below. */
function limit(rest: number, countsTwenties: boolean): number {
  if (rest === 0) return 1000
  const below = rest % 100
  if (below === 0) return 100
  if (countsTwenties && (below === 60 || below === 80)) return 20
  return below % 10 === 0 && (countsTwenties || below > 10) ? 10 : 0
}

/** Returns a word in lower case without diacritics. */
const folded = (word: string): string => word.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '')

/**
 * Returns the values of numbers that are written as words of a language: 25 for "twenty-five", 200 for "two hundred". Leaves out 1, ordinals
 * and words that often have another meaning.
 * @param language ISO 639-1 code; null if unknown
 */
function spokenNumbers(text: string, language: string | null): number[] {
  const words = numberWordsOf.get(language ?? '')
  if (words === undefined) return []
  const found: number[] = []
  for (const [run] of text.matchAll(/[\p{L}\p{M}]+(?:[ \u00a0-][\p{L}\p{M}]+)*/gu)) {
    let [number, written] = [nothing, '']
    const finish = (): void => {
      const value = number.scaled + number.rest
      if (value > 1 && !words.ambiguous.includes(written)) found.push(value)
      ;[number, written] = [nothing, '']
    }
    let isJoined = false
    for (const word of run.split(/[ \u00a0-]/).map(folded)) {
      const value = words.valueOf(word)
      if (value === undefined) {
        // "and" within a number goes on if a smaller number follows.
        if (word === words.and && !isJoined) isJoined = true
        else finish()
        continue
      }
      isJoined = false
      const longer = extended(number, value, words)
      if (longer === null) finish()
      number = longer ?? extended(nothing, value, words) ?? nothing
      written = written === '' ? word : `${written} ${word}`
    }
    finish()
  }
  return found
}

const hanDigits = '〇一二三四五六七八九'
const hanScales: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000, 万: 10_000, 億: 100_000_000 }
const hanForms: Readonly<Record<string, string>> = { 零: '〇', 两: '二', 兩: '二', 萬: '万', 亿: '億' }
const hanRun = /[〇零一二三四五六七八九两兩十百千万萬億亿]+/gu
/** Counters, units and currencies. */
const hanUnit =
  /^(?:[个個名位人次回枚张張本台册冊杯条件份頁页层層階楼倍歳岁年月日号號天週周时時分秒点點度块塊元円圓圆镑鎊米克升%％つ]|小时|小時|公里|公斤|美元|欧元|歐元|英镑|英鎊|ポンド|ドル|ユーロ)/u

/**
 * Returns the values of numbers in Han numerals: runs with a scale such as 三百五十, runs of three or more digits such as 二〇二四, and
 * single numerals before a unit. Leaves out 一, 十分 and the like, and what begins with 万, as 万一 does.
 */
function hanNumbers(text: string): number[] {
  const found: number[] = []
  for (const { 0: run, index } of text.matchAll(hanRun)) {
    const numerals = [...run].map((numeral) => hanForms[numeral] ?? numeral)
    const isScaled = numerals.some((numeral) => numeral in hanScales)
    const after = text.slice(index + run.length)
    const isNumber =
      numerals.length === 1 ? isCounted(run, after) : isScaled ? !/^(?:[万萬億亿]|千[万萬]$)/u.test(run) : numerals.length > 2
    if (isNumber) found.push(isScaled ? scaledValue(numerals) : Number(numerals.map((digit) => hanDigits.indexOf(digit)).join('')))
  }
  return found
}

const isCounted = (numeral: string, after: string): boolean =>
  !/[〇零一万萬億亿]/u.test(numeral) && hanUnit.test(after) && !(numeral in hanScales && after.startsWith('分'))

function scaledValue(numerals: readonly string[]): number {
  let [total, group, digit] = [0, 0, 0]
  for (const numeral of numerals) {
    const scale = hanScales[numeral]
    if (scale === undefined) digit = hanDigits.indexOf(numeral)
    else if (scale < 10_000) [group, digit] = [group + (digit || 1) * scale, 0]
    else [total, group, digit] = [total + (group + digit) * scale, 0, 0]
  }
  return total + group + digit
}

/** Returns the values of numbers that are written as words of a language or in Han numerals. */
export const writtenNumbers = (text: string, language: string | null): number[] => [...spokenNumbers(text, language), ...hanNumbers(text)]
