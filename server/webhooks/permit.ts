import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

/** @throws AppError `forbidden` for who may not see the whole organization, as an endpoint does */
export function requireWholeOrganization({ actor }: Context): void {
  if ((actor?.baseIds ?? null) !== null)
    throw new AppError('forbidden', 'the API token is limited to some knowledge bases, and webhooks tell of all')
}

/** @throws AppError `forbidden` also for who may not read events: an endpoint of one's own would show them */
export function requireEventsRead(ctx: Context): void {
  requireWholeOrganization(ctx)
  if (ctx.actor !== undefined && !ctx.actor.scopes.includes('events:read'))
    throw new AppError('forbidden', 'the API token lacks the scope events:read, which this needs as well')
}
