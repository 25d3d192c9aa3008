import { AppError } from './errors.ts'

/** The end of a page in a newest-first list: creation time and id of its last row. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** Encodes a position as an opaque, URL-safe cursor. */
export function encodeCursor(position: Position): string {
  return Buffer.from(`${position.createdAt.getTime()}.${position.id}`).toString('base64url')
}

/** @throws AppError `bad_request`, field `cursor`, unless `encodeCursor` created it */
export function decodeCursor(cursor: string): Position {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match?.[1] === undefined || match[2] === undefined || !uuid.test(match[2])) {
    throw new AppError('bad_request', 'cursor must be a nextCursor that this list returned', { field: 'cursor' })
  }
  return { createdAt: new Date(Number(match[1])), id: match[2] }
}
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Removes the extra row that list queries fetch to detect a next page, and returns the cursor of that page. */
export function pageOf<Row extends { created_at: Date; id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { rows: shown, nextCursor: more ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null }
}
