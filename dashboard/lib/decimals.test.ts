import { expect, test } from 'vitest'
import { formatAmountOrPercent, formatDecimal, parseAmountOrPercent, parseDecimal } from './decimals.ts'

test.each([
  // Only one meaning, in any locale.
  ['1.234,50', 'en-US', '1234.50'],
  ['1,234.50', 'de-DE', '1234.50'],
  ['1.234.567', 'en-US', '1234567'],
  ['1 234,5', 'fr-FR', '1234.5'],
  ['1\u202f234,5', 'fr-FR', '1234.5'],
  ['1’234.50', 'de-CH', '1234.50'],
  ['12,34,567.8', 'en-IN', '1234567.8'],
  ['0,335', 'en-US', '0.335'],
  ['1234,567', 'en-US', '1234.567'],
  [' 12,5 ', 'en-US', '12.5'],
  ['1200.5', 'de-DE', '1200.5'],
  ['120', 'de-DE', '120'],
  // Two meanings, resolved by the locale.
  ['1,234', 'en-US', '1234'],
  ['1,234', 'de-DE', '1.234'],
  ['1.234', 'de-DE', '1234'],
  ['1.234', 'en-US', '1.234'],
  ['1.234', 'fr-FR', '1.234'],
  // No numbers.
  ['', 'en-US', undefined],
  ['1200.', 'en-US', undefined],
  ['1,2,3', 'en-US', undefined],
  ['1.23.456,7,8', 'de-DE', undefined],
  ['-5', 'en-US', undefined],
  ['ten', 'en-US', undefined],
  ['1e3', 'en-US', undefined],
])('reads %j in %s as %s', (typed, locale, value) => expect(parseDecimal(typed, locale)).toBe(value))

test.each([
  ['1234.50', 'de-DE', '1.234,50'],
  ['1234.50', 'en-US', '1,234.50'],
  ['0.335', 'de-DE', '0,335'],
  ['1000000000000.10', 'en-US', '1,000,000,000,000.10'],
  ['1234.5', 'ar-EG', '1,234.5'],
  ['ten', 'de-DE', 'ten'],
  ['', 'de-DE', ''],
])('writes %j in %s as %s, which is read as the same number', (value, locale, shown) => {
  expect(formatDecimal(value, locale)).toBe(shown)
  if (/\d/.test(value)) expect(parseDecimal(shown, locale)).toBe(value)
})

test('keeps a percent sign', () => {
  expect(parseAmountOrPercent('12,5 %', 'de-DE')).toBe('12.5%')
  expect(formatAmountOrPercent('12.5%', 'de-DE')).toBe('12,5%')
  expect(parseAmountOrPercent('1.250,00', 'de-DE')).toBe('1250.00')
  expect(parseAmountOrPercent('half', 'de-DE')).toBeUndefined()
})
