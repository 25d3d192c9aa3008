import { requireWholeOrganization, type Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'

/**
 * @throws AppError `forbidden` if the actor lacks `events:read` or its token is limited to some knowledge bases. A context without an actor
 *   passes.
 */
export function requireEventsRead(ctx: Context): void {
  requireWholeOrganization(ctx)
  if (ctx.actor !== undefined && !ctx.actor.scopes.includes('events:read'))
    throw new AppError('forbidden', 'The API token lacks the scope events:read, which webhooks also require.')
}
