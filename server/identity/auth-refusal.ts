import type { ErrorCode } from '@groundwork/api'
import { AppError } from '../lib/errors.ts'

/** Messages for the codes of the sign-in library that people meet, and the field at fault. */
const messages: Readonly<Record<string, readonly [message: string, field?: string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['The e-mail address or the password is wrong.'],
  INVALID_EMAIL: ['This is not an e-mail address.', 'email'],
  INVALID_PASSWORD: ['The password is wrong.'],
  PASSWORD_TOO_SHORT: ['The password needs at least 12 characters.', 'newPassword'],
  PASSWORD_TOO_LONG: ['The password can have 128 characters at most.', 'newPassword'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: ['You have no password yet. Ask for a link to set one.'],
  INVALID_TOKEN: ['This link was used already, or its time is over.', 'token'],
  INVALID_CODE: ['The code is wrong, or its time is over.', 'code'],
  INVALID_BACKUP_CODE: ['This is not a backup code that still works.', 'code'],
  INVALID_TWO_FACTOR_COOKIE: ['The sign-in took too long. Sign in again.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['The code was wrong too often. Sign in again.'],
  ACCOUNT_TEMPORARILY_LOCKED: ['The code was wrong too often. Try again in a quarter of an hour.'],
  issuer_unavailable: ['The identity provider cannot be reached, or is out of order. Try again in a moment.'],
}

const invalidInput: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'INVALID_EMAIL', 'PASSWORD_TOO_SHORT', 'PASSWORD_TOO_LONG'])

const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  415: 'unsupported_media_type',
  422: 'validation_error',
  429: 'rate_limited',
  503: 'unavailable',
}

/** The library locks a second factor for so long and does not report what is left of it. */
const lockedSeconds = 15 * 60

/** Converts a refusal of the sign-in library, with a status of 400 or more, to ours. */
export async function refusalOf(answer: Response, path: string): Promise<Error> {
  const { code = '', message = '' } = await bodyOf(answer)
  const { status } = answer
  if (status >= 500 && status !== 503) return new Error(`the sign-in library answered ${status} to ${path}: ${code} ${message}`)
  const [told, field] = messages[code] ?? []
  const ourCode = invalidInput.has(code) ? 'validation_error' : (codeOfStatus[status] ?? 'bad_request')
  if (ourCode === 'rate_limited') {
    const seconds = Number(answer.headers.get('x-retry-after')) || lockedSeconds
    return new AppError(ourCode, told ?? `This was tried too often. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds })
  }
  const unknownPath = ourCode === 'not_found' && message === '' ? `there is no such request to /auth${path}` : undefined
  return new AppError(ourCode, told ?? unknownPath ?? (message || 'The request is not valid.'), field === undefined ? {} : { field })
}

async function bodyOf(answer: Response): Promise<{ code?: string; message?: string }> {
  const text = await answer.text()
  try {
    return JSON.parse(text) as { code?: string; message?: string }
  } catch {
    // A refusal by the library's router has no body, or plain text.
    return { message: text }
  }
}
