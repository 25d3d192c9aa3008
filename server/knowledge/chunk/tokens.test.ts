import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { countTokens, indexTokens } from './tokens.ts'

const { countTokens: libraryCount } = createRequire(import.meta.url)(
  'gpt-tokenizer/encoding/cl100k_base',
) as typeof import('gpt-tokenizer/encoding/cl100k_base')

const samples = [
  '',
  ' ',
  "It's 12345 o'clock, and WE'LL see; naïve café.\n\n  Next line\t\r\n",
  'Größe über 3,50 € – „Straße“ geprüft.',
  '今天天气很好,我们去公园。',
  'const f = (x) => x ** 2 // 👨‍👩‍👧',
  '   leading and trailing   ',
]

describe('countTokens', () => {
  it.each(samples)('agrees with the library: %j', (sample) => {
    expect(countTokens(sample)).toBe(libraryCount(sample))
  })

  it('treats a control token as plain text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1)
  })

  it('counts long text without spaces in parts', () => {
    const whole = libraryCount('ab'.repeat(100))
    expect(countTokens('ab'.repeat(100))).toBeGreaterThanOrEqual(whole)
    expect(countTokens('ab'.repeat(250_000))).toBeGreaterThan(1000)
  })
})

describe('indexTokens', () => {
  it('splits between words at the token budget', () => {
    const text = 'one two three four five six seven eight nine ten'
    const index = indexTokens(text)
    expect(text.slice(0, index.cut(0, text.length, 4)).trim()).toBe('one two three four')
    expect(index.cut(0, text.length, 100)).toBe(text.length)
  })

  it('splits a text without spaces between graphemes', () => {
    const family = '👨‍👩‍👧'
    const text = family.repeat(40)
    const cut = indexTokens(text).cut(0, text.length, 64)
    expect(cut).toBeGreaterThan(0)
    expect(cut % family.length).toBe(0)
    expect(countTokens(text.slice(0, cut))).toBeLessThanOrEqual(64)
  })

  it('splits before a word that fits the budget, however short the rest', () => {
    const text = `one two ${'abc/'.repeat(12)} three`
    const index = indexTokens(text)
    const word = countTokens(` ${'abc/'.repeat(12)}`)
    expect(text.slice(0, index.cut(0, text.length, word)).trim()).toBe('one two')
    expect(index.cut(0, text.length, word - 4)).toBeGreaterThan('one two abc/'.length)
  })

  it('finds the last words within the token budget', () => {
    const text = 'one two three four five six seven'
    const index = indexTokens(text)
    expect(text.slice(index.tail(0, text.length, 3)).trim()).toBe('five six seven')
  })
})
