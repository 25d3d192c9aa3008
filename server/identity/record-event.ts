import { wireId } from '@groundwork/api'
import { audit } from '../audit/audit.ts'
import { withTransaction, type CoreServices, type Origin } from '../context.ts'
import type { AuthenticationEvent } from './authentication-events.ts'

/** Records an event in the audit log of every organization the user belongs to. */
export async function recordAuthenticationEvent(
  services: CoreServices,
  { userId, action }: AuthenticationEvent,
  origin: Origin,
): Promise<void> {
  // oxlint-disable-next-line no-restricted-properties -- the query finds the user's organizations
  const memberships = await services.db.presenting({ kind: 'user_id', value: Buffer.from(userId.replaceAll('-', ''), 'hex') }, (trx) =>
    trx.selectFrom('membership').select('organization_id').orderBy('organization_id').execute(),
  )
  for (const { organization_id: organizationId } of memberships) {
    const ctx = { ...services, organizationId }
    await withTransaction(ctx, (trx) => audit(ctx, trx, { action, target: wireId('usr', userId) }, { type: 'user', id: userId, ...origin }))
  }
}
