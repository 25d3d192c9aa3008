import { AppError } from './errors.ts'

/** Where a page of a newest-first list ends: the creation time and id of its last row. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
}

/** An opaque, URL-safe text that stands for the position. */
export function encodeCursor(position: Position): string {
  return Buffer.from(`${position.createdAt.getTime()}.${position.id}`).toString('base64url')
}

/** @throws AppError `bad_request`, field `cursor`, when the text is not one that `encodeCursor` made */
export function decodeCursor(cursor: string): Position {
  const match = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match?.[1] === undefined || match[2] === undefined || !uuid.test(match[2])) {
    throw new AppError('bad_request', 'cursor is not one that this list returned', { field: 'cursor' })
  }
  return { createdAt: new Date(Number(match[1])), id: match[2] }
}
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Cuts the one row too many that a list query asked for, and tells where the next page starts. */
export function pageOf<Row extends { created_at: Date; id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const more = rows.length > limit && last !== undefined
  return { rows: shown, nextCursor: more ? encodeCursor({ createdAt: last.created_at, id: last.id }) : null }
}
