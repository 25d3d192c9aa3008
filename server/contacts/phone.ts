import { parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max'
import { AppError } from '../lib/errors.ts'

/** Returns the parts of a number in international format; undefined when no such number can exist. */
export function parsePhone(phone: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(phone)
  return number?.isValid() === true ? number : undefined
}

/** Returns the number in E.164 form, `+49 (0)30 123456` as `+4930123456`; undefined when no such number can exist. */
export const existingNumber = (phone: string): string | undefined => parsePhone(phone)?.number

/** @throws AppError `validation_error`, field `phone`, for a number that cannot exist */
export function requireExistingNumber(phone: string): string {
  const number = existingNumber(phone)
  if (number !== undefined) return number
  throw new AppError('validation_error', `phone: ${phone} is not a number that exists; write it like +4930123456`, { field: 'phone' })
}
