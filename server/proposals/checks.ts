import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'

/** Checks and settings of the organization that several operations on proposals share. */

export const toDate = (value: string | null | undefined): Date | null => (value === null || value === undefined ? null : new Date(value))

/** @throws AppError `validation_error`, field `expiresAt` */
export function requireFuture(expiresAt: Date | null, now: Date): void {
  if (expiresAt !== null && expiresAt <= now)
    throw new AppError('validation_error', 'expiresAt must be in the future', { field: 'expiresAt' })
}

/** @throws AppError `conflict`. The service marks a proposal as expired shortly after `expires_at`. */
export function requireUnexpired(expires_at: Date | null, now: Date): void {
  if (expires_at !== null && expires_at <= now) throw new AppError('conflict', 'the proposal has expired', { field: 'status' })
}

export const noSuchContact = (): AppError =>
  new AppError('validation_error', 'contactId does not refer to an existing contact', { field: 'contactId' })

/** Returns the IANA name of the organization's time zone. */
export async function timeZoneOf(trx: Transaction): Promise<string> {
  return (await trx.selectFrom('organization').select('time_zone').executeTakeFirstOrThrow()).time_zone
}
