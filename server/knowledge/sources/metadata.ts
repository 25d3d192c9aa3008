import { maxMetadataKeys } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'

/**
 * Returns metadata with changes by key; null removes a key.
 * @throws AppError `validation_error` for too many keys
 */
export function changedMetadata(before: object, changes: Readonly<Record<string, unknown>>): string {
  const after = Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))
  if (Object.keys(after).length > maxMetadataKeys)
    throw new AppError('validation_error', `metadata would have more than ${maxMetadataKeys} keys`, { field: 'metadata' })
  return JSON.stringify(after)
}
