import type { CustomField } from '@groundwork/api'
import { expect, test } from 'vitest'
import { customText, formatNumber, parseNumber } from './custom-fields.ts'

test.each([
  ['3,5', 'de-DE', 3.5],
  ['1.234,5', 'de-DE', 1234.5],
  ['3.5', 'en-US', 3.5],
  [' -1,234.5 ', 'en-US', -1234.5],
  ['−2', 'en-US', -2],
  ['+2', 'en-US', 2],
  ['0x10', 'en-US', undefined],
  ['1e3', 'en-US', undefined],
  ['many', 'en-US', undefined],
  ['--2', 'en-US', undefined],
  ['', 'en-US', undefined],
  ['9'.repeat(400), 'en-US', undefined],
])('reads %j in %s as %s', (typed, locale, value) => expect(parseNumber(typed, locale)).toBe(value))

test.each(['en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'ar-EG'])('reads in %s the numbers that it has formatted', (locale) => {
  for (const value of [0, 3.5, -3.5, 1234, 1.234, 1234.567, -1_234_567.891_23, 0.000_000_1, 1e21])
    expect(parseNumber(formatNumber(value, locale), locale)).toBe(value)
})

const words = { yes: 'Yes', no: 'No' }
const field = (type: CustomField['type']) => ({ type }) as CustomField

test('shows all digits of a number, and days in the format of the locale', () => {
  expect(customText(0.123_456, field('number'), words)).toBe((0.123_456).toLocaleString(undefined, { maximumFractionDigits: 6 }))
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date('2026-05-25'))
  expect(customText('2026-05-25', field('date'), words)).toBe(day)
  expect(customText('soon', field('date'), words)).toBe('soon')
  expect(customText('2026-05-25', field('text'), words)).toBe('2026-05-25')
})
