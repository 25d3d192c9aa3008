import type { ContactTimeline, Event } from '@groundwork/api'
import { withTransaction, type Context } from '../context.ts'
import { eventsPage } from './list.ts'
import { AppError } from '../lib/errors.ts'

/**
 * Lists the events of a contact and its proposals, newest first.
 * @throws AppError `not_found`, or `bad_request`, field `cursor`
 */
export function contactTimeline(ctx: Context, id: string, input: ContactTimeline): Promise<{ data: Event[]; nextCursor: string | null }> {
  return withTransaction(ctx, async (trx) => {
    const contact = await trx.selectFrom('contact').select('id').where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
    if (contact === undefined) throw new AppError('not_found', 'There is no such contact.')
    return eventsPage(trx, { ...input, contactId: id })
  })
}
