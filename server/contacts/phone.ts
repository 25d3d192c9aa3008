import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max'
import { AppError } from '../lib/errors.ts'

/** Parses a number in international format; returns undefined if it is invalid. */
export function parsePhone(phone: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(phone)
  return number?.isValid() === true ? number : undefined
}

/** Returns the number in E.164 form, `+49 (0)30 123456` as `+4930123456`; undefined if it is invalid. */
export const toE164 = (phone: string): string | undefined => parsePhone(phone)?.number

/**
 * Returns the number in E.164 form.
 * @throws AppError `validation_error`, field `phone`, if it is invalid
 */
export function requirePhoneNumber(phone: string): string {
  const number = toE164(phone)
  if (number !== undefined) return number
  throw new AppError('validation_error', `phone: ${phone} is not a valid phone number; use the international format, such as +4930123456`, {
    field: 'phone',
  })
}
