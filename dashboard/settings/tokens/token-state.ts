import type { ApiToken } from '@groundwork/api'
import type { TokenState } from './filter.ts'

const soonMs = 7 * 86_400_000

export function stateOf({ revokedAt, expiresAt }: Pick<ApiToken, 'revokedAt' | 'expiresAt'>, now: number): TokenState {
  if (revokedAt !== null) return 'revoked'
  if (expiresAt === null) return 'active'
  const left = new Date(expiresAt).getTime() - now
  if (left <= 0) return 'expired'
  return left < soonMs ? 'expiring' : 'active'
}
