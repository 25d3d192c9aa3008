import { parsePhoneNumberFromString, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max'
import { AppError } from '../lib/errors.ts'

/** Parses a number in international format; returns undefined if it is invalid. */
export function parsePhone(phone: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(phone)
  return number?.isValid() === true ? number : undefined
}

/** Returns the number in E.164 form, `+49 (0)30 123456` as `+4930123456`; undefined if it is invalid. */
export const toE164 = (phone: string): string | undefined => parsePhone(phone)?.number

export interface NormalizedPhone {
  /** In E.164 form. */
  readonly value: string
  readonly extension: string | null
  /** Whether the number belongs to a range that is in use. */
  readonly isAssigned: boolean
}

/** Returns whether the country of the organization decides what the number is. */
export const isNational = (sent: string): boolean => !withAsciiDigits(sent).startsWith('+')

/**
 * Returns the number in E.164 form without its extension. Digits can be of any script.
 * @param country of a national number: ISO 3166-1 alpha-2; null if unknown
 * @throws AppError `validation_error` if no such number can exist
 */
export function normalizePhone(sent: string, country: string | null, field: string): NormalizedPhone {
  const text = withAsciiDigits(sent)
  const readings = [text, text.replace(optionalTrunkZero, '$1')]
    .map((reading) =>
      parsePhoneNumberFromString(reading, { extract: false, ...(country !== null && { defaultCountry: asCountry(country) }) }),
    )
    .filter((number) => number !== undefined)
  const number = readings.find((each) => each.isValid()) ?? readings.findLast((each) => each.isPossible())
  if (number !== undefined) return { value: number.number, extension: number.ext ?? null, isAssigned: number.isValid() }
  const advice =
    country === null && isNational(sent)
      ? 'use the international format, such as +4930123456, or set the country of the organization'
      : 'use the international format, such as +4930123456'
  throw new AppError('validation_error', `${field} must be a valid phone number: ${advice}`, { field })
}

/** `+49 (0)30 …`: the zero is dialled within the country only. Some countries, such as Italy, keep it; their numbers are valid with it. */
const optionalTrunkZero = /^(\+\d{1,3}[\s.-]*)\(0\)/

/** Safe cast: the library ignores countries that it does not know. */
const asCountry = (country: string): CountryCode => country as CountryCode

/** Returns the text with ASCII digits and plus sign, without `tel:` and invisible marks of the writing direction. */
const withAsciiDigits = (text: string): string =>
  text
    .replace(/^\s*tel:/i, '')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/^\s*[\uff0b\ufe62]/, '+')
    .replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)))
    .trim()

/** Unicode encodes the decimal digits of each script from 0 to 9 without gaps. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}
