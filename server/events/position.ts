import { AppError } from '../lib/errors.ts'

/** Cursors use positions, which follow commit order. The creation times of events need not. */
export const cursorOf = (position: number): string => Buffer.from(`event.${position}`).toString('base64url')

/** @throws AppError `bad_request`, field `cursor`, unless `cursorOf` created it */
export function positionOf(cursor: string): number {
  const position = /^event\.(-?\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))?.[1]
  if (position === undefined) throw new AppError('bad_request', 'cursor must be a nextCursor that this list returned', { field: 'cursor' })
  return Number(position)
}
