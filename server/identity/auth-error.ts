import type { ErrorCode } from '@groundwork/api'
import { AppError } from '../lib/errors.ts'

/** Messages and invalid fields by better-auth error code. */
const messages: Readonly<Record<string, readonly [message: string, field?: string]>> = {
  INVALID_EMAIL_OR_PASSWORD: ['The email address or the password is wrong.'],
  INVALID_EMAIL: ['This is not an email address.', 'email'],
  INVALID_PASSWORD: ['The password is wrong.', 'password'],
  PASSWORD_TOO_SHORT: ['The password must have at least 12 characters.', 'newPassword'],
  PASSWORD_TOO_LONG: ['The password must have at most 128 characters.', 'newPassword'],
  CREDENTIAL_ACCOUNT_NOT_FOUND: ['This account has no password. Request a password reset to set one.'],
  INVALID_TOKEN: ['The token of the link has already been used or has expired. Request a new link.', 'token'],
  INVALID_CODE: ['The code is wrong, has expired or has already been used. Enter a new one.', 'code'],
  INVALID_BACKUP_CODE: ['The backup code is wrong or has already been used.', 'code'],
  INVALID_TWO_FACTOR_COOKIE: ['The sign-in has timed out. Sign in again.'],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ['Too many wrong codes. Sign in again.'],
  ACCOUNT_TEMPORARILY_LOCKED: ['Too many wrong codes. Try again in 15 minutes.'],
  issuer_unavailable: ['The identity provider is unavailable. Try again shortly.'],
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

/** better-auth locks a second factor for this long and does not report the remaining time. */
const lockedSeconds = 15 * 60

/** Converts a better-auth response with a status of 400 or more to an AppError, or to an Error for a failure of better-auth. */
export async function toAuthError(response: Response, path: string): Promise<Error> {
  const { code = '', message = '' } = await bodyOf(response)
  const { status } = response
  if (status >= 500 && status !== 503) return new Error(`better-auth answered ${status} to ${path}: ${code} ${message}`)
  const [ourMessage, field] = messages[code] ?? []
  const ourCode = invalidInput.has(code) ? 'validation_error' : (codeOfStatus[status] ?? 'bad_request')
  if (ourCode === 'rate_limited') {
    const seconds = Number(response.headers.get('x-retry-after')) || lockedSeconds
    return new AppError(ourCode, ourMessage ?? `Too many attempts. Try again in ${seconds} seconds.`, { retryAfterSeconds: seconds })
  }
  const unknownPath = ourCode === 'not_found' && message === '' ? `There is no route /auth${path}.` : undefined
  return new AppError(ourCode, ourMessage ?? unknownPath ?? (message || 'The request is not valid.'), field === undefined ? {} : { field })
}

async function bodyOf(response: Response): Promise<{ code?: string; message?: string }> {
  const text = await response.text()
  try {
    return JSON.parse(text) as { code?: string; message?: string }
  } catch {
    // Errors of better-auth's router have no body, or plain text.
    return { message: text }
  }
}
