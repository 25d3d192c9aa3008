import { createHash } from 'node:crypto'
import { AppError } from '../lib/errors.ts'

/** The strong entity tag of a body (RFC 9110, section 8.8.3): the same text has the same tag, whoever made it. */
export const etagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

/** Whether the header's list names the tag; If-None-Match compares weakly, so that a proxy's `W/` does no harm. */
export function noneMatchNames(header: string, etag: string): boolean {
  return header.trim() === '*' || tagsIn(header).some((tag) => tag.replace(/^W\//, '') === etag)
}

/** @throws AppError `precondition_failed` unless the header's list names the tag, strongly compared */
export function requireMatch(header: string, etag: string): void {
  if (header.trim() === '*' || tagsIn(header).includes(etag)) return
  throw new AppError('precondition_failed', 'the record was changed meanwhile: read it again', { field: 'If-Match' })
}

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []
