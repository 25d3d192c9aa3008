import { requireWholeOrganization, type Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

/** @throws AppError `forbidden` for an actor that may not read events, since an endpoint would receive them */
export function requireEventsRead(ctx: Context): void {
  requireWholeOrganization(ctx)
  if (ctx.actor !== undefined && !ctx.actor.scopes.includes('events:read'))
    throw new AppError('forbidden', 'the API token lacks the scope events:read, which webhooks also require')
}
