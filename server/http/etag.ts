import { createHash } from 'node:crypto'
import { AppError } from '../lib/errors.ts'

/** Returns the strong entity tag of a body (RFC 9110, section 8.8.3), derived from its SHA-256. */
export const etagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** Returns whether an If-None-Match header lists the tag. Compares weakly, since proxies may add `W/`. */
export function matchesIfNoneMatch(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsIn(header).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** @throws AppError `precondition_failed` unless the If-Match header lists the tag, compared strongly */
export function requireIfMatch(header: string, etag: string): void {
  if (header.trim() === '*' || tagsIn(header).includes(etag)) return
  throw new AppError('precondition_failed', 'The record has changed since you read it. Read it again and retry with its new ETag.', {
    field: 'If-Match',
  })
}

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []
