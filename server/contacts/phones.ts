import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max'
import { AppError } from '../lib/errors.ts'

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
  const number = readPhone(sent, country)
  if (number !== undefined) return number
  const advice =
    country === null && isNational(sent)
      ? 'use the international format, such as +4930123456, or set the country of the organization'
      : 'use the international format, such as +4930123456'
  throw new AppError('validation_error', `${field} must be a valid phone number: ${advice}`, { field })
}

/** Reads a number as `normalizePhone` does; returns undefined if no such number can exist. */
export function readPhone(sent: string, country: string | null): NormalizedPhone | undefined {
  const text = withAsciiDigits(sent)
  const readings = [...new Set([text, text.replace(optionalTrunkZero, '$1'), text.replace(internationalPrefix, '+')])]
    .map((reading) =>
      parsePhoneNumberFromString(reading, { extract: false, ...(country !== null && { defaultCountry: asCountry(country) }) }),
    )
    .filter((number) => number !== undefined)
  const number = readings.find((each) => each.isValid()) ?? readings.findLast((each) => each.isPossible())
  return number && { value: number.number, extension: number.ext ?? null, isAssigned: number.isValid() }
}

/**
 * Returns the values of `phones` that a number in a request means, as a contact with this number has them. Older records may have an
 * invalid international number as it was written.
 */
export function storedPhones(sent: string, country: string | null): string[] {
  const number = readPhone(sent, country)
  const written = isNational(sent) ? undefined : writtenDigits(sent)
  return [...new Set([...(number === undefined ? [] : [number.value]), ...(written === undefined ? [] : [`+${written}`])])]
}

/** Returns the ASCII digits of a number as it is written, without an extension; undefined for another text. */
export function writtenDigits(sent: string): string | undefined {
  const text = withAsciiDigits(sent.normalize('NFKC')).replace(extensionForm, '')
  return /^\+?[\d\s().\-/\u2010-\u2015]*\d[\d\s().\-/\u2010-\u2015]*$/.test(text) ? text.replaceAll(/\D/g, '') : undefined
}

const extensionForm = /[\s;,]*(?:ext(?:ensi[oó]n)?|x|#)[\s.:=]*\d+\s*$/i

/** The prefix of international calls in most countries (ITU-T E.164). No national number begins with it. */
const internationalPrefix = /^00(?=[\s(./-]*[1-9])/

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
