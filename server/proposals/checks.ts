import { AppError } from '../lib/errors.ts'

/** Checks that several operations on proposals share. */

export const toDate = (value: string | null | undefined): Date | null => (value === null || value === undefined ? null : new Date(value))

/** @throws AppError `validation_error`, field `expiresAt` */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now)
    throw new AppError('validation_error', 'expiresAt must be in the future', { field: 'expiresAt' })
}

/** @throws AppError `conflict`. The service marks a proposal as expired shortly after `expires_at`. */
export function requireUnexpired(expires_at: Date | null, now: Date): void {
  if (expires_at !== null && expires_at <= now) throw new AppError('conflict', 'The proposal has expired.', { field: 'status' })
}

/** @throws AppError `validation_error`, field `contactId`, if the contact was not found */
export function requireContact<T>(contact: T | undefined): T {
  if (contact === undefined) throw noSuchContact('contactId')
  return contact
}

export const noSuchContact = (field: string): AppError =>
  new AppError('validation_error', 'contactId does not refer to an existing contact', { field })
