import type { Event } from '@groundwork/api'
import { select, type Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { recordExists, toEvent } from './record.ts'

/** @throws AppError `not_found`, also for an expired event */
export async function getEvent(ctx: Context, eventId: string): Promise<Event> {
  const [row] = await select(ctx, (db) =>
    db.selectFrom('event').selectAll().select(recordExists.as('record_exists')).where('id', '=', eventId),
  )
  if (row === undefined) throw new AppError('not_found', 'There is no such event.', { field: 'eventId' })
  return toEvent(row)
}
