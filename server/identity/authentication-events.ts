import type { AuditAction } from '@groundwork/api'
import type { Session } from './sessions.ts'

/** An action of a user on their own account, or on their behalf. */
export interface AuthenticationEvent {
  readonly userId: string
  readonly action: Extract<AuditAction, `user.${string}`>
}

/** Audit actions by better-auth endpoint. */
const byPath: Readonly<Record<string, AuthenticationEvent['action']>> = {
  '/sign-out': 'user.signed_out',
  '/revoke-session': 'user.sessions_revoked',
  '/revoke-sessions': 'user.sessions_revoked',
  '/revoke-other-sessions': 'user.sessions_revoked',
  '/change-password': 'user.password_changed',
  '/two-factor/disable': 'user.two_factor_disabled',
}

/**
 * Returns the event that a successful request below /auth caused; undefined for none.
 * @param before session of the request
 * @param begun session that the response starts
 */
export function authenticationEventOf(
  path: string,
  before: Session | undefined,
  begun: Session | undefined,
): AuthenticationEvent | undefined {
  if (before === undefined) return begun && { userId: begun.user.id, action: 'user.signed_in' }
  const userId = before.user.id
  if (path.startsWith('/sign-in/') || path === '/oidc/callback') return begun && { userId: begun.user.id, action: 'user.signed_in' }
  if (path === '/two-factor/verify-totp' && !before.user.twoFactorEnabled && begun?.user.twoFactorEnabled === true)
    return { userId, action: 'user.two_factor_enabled' }
  const action = byPath[path]
  return action && { userId, action }
}
