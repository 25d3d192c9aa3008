import type { AuditAction } from '@groundwork/api'
import type { Session } from './sessions.ts'

/** Something that a user did by himself, or somebody in his name. */
export interface AuthenticationEvent {
  readonly userId: string
  readonly action: Extract<AuditAction, `user.${string}`>
}

/** What each of the library's endpoints does for who is signed in. */
const byPath: Readonly<Record<string, AuthenticationEvent['action']>> = {
  '/sign-out': 'user.signed_out',
  '/revoke-session': 'user.sessions_revoked',
  '/revoke-sessions': 'user.sessions_revoked',
  '/revoke-other-sessions': 'user.sessions_revoked',
  '/change-password': 'user.password_changed',
  '/two-factor/disable': 'user.two_factor_disabled',
}

/** What came of a request below /auth that was answered well: who was signed in before it, and who is by it. */
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
