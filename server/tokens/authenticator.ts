import type { Origin, TokenActor } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { AuthenticationThrottle } from '../limits/authentication-throttle.ts'
import { AppError } from '../lib/errors.ts'
import { asScopes, publishableOf, type PublishableAccess } from './issue.ts'
import { hashSecret, isWellFormedSecret } from './secret.ts'

export interface Bearer extends Omit<TokenActor, keyof Origin> {
  readonly organizationId: string
}

/** Authenticates a secret. An address records the use of the token. */
export type Authenticate = (secret: string, address?: string) => Promise<Bearer>

/** A publishable token: whoever reads the page can use it, so it gives access to the search widget alone. */
export interface PublishableBearer extends Bearer {
  readonly publishable: PublishableAccess
}

/**
 * Authenticates the secret of a publishable token.
 * @throws AppError `unauthorized`, also for other tokens; `rate_limited` as `Authenticate`
 */
export type AuthenticatePublishable = (secret: string, address: string) => Promise<PublishableBearer>

export interface Authenticator {
  /**
   * Returns the token of the secret. Results are cached for `cacheMs`, so a busy token costs one query in that time.
   * @throws AppError `unauthorized` for a malformed, unknown, expired or revoked secret, `rate_limited` for an unknown one from
   * an address that has presented too many; `forbidden` for a publishable token. Never refuses another valid secret
   */
  readonly authenticate: Authenticate
  readonly authenticatePublishable: AuthenticatePublishable
  /** Removes the token from the cache after it was revoked or rotated. */
  readonly invalidate: (tokenId: string) => void
  /** Removes all tokens of an organization from the cache after it was deleted or imported. */
  readonly invalidateOrganization: (organizationId: string) => void
  /** Looks up unknown secrets again, after an import may have been missed. */
  readonly forgetUnknown: () => void
}

export interface AuthenticatorOptions {
  now: () => Date
  /** How long other processes may still accept a revoked token, in milliseconds. */
  cacheMs?: number
  /** Milliseconds of a monotonic clock, so that clock changes do not prolong caching. */
  monotonicMs?: () => number
  /** Limits look-ups of unknown secrets by address; no limit without it. */
  throttle?: AuthenticationThrottle
  /** Called at every use of a token. Must return immediately. */
  onUse?: (bearer: Bearer, address: string) => void
}

/** Maximum number of cached tokens, and of cached unknown secrets. */
const capacity = 10_000

export function authenticator(
  db: Database,
  { now, cacheMs = 900, monotonicMs = () => performance.now(), throttle, onUse }: AuthenticatorOptions,
): Authenticator {
  const cache = new Map<string, CachedBearer & { until: number }>()
  // Unknown secrets stay unknown until an organization is imported: secrets are generated here, and ended tokens are never restored.
  const unknown = new Set<string>()
  let invalidations = 0

  const cached = (key: string): CachedBearer | undefined => {
    const found = cache.get(key)
    return found !== undefined && monotonicMs() < found.until ? found : undefined
  }

  async function read(hash: Buffer, key: string): Promise<CachedBearer | undefined> {
    // A request with the same secret may have finished while this one was queued.
    if (unknown.has(key)) return undefined
    const concurrent = cached(key)
    if (concurrent !== undefined) return concurrent
    // Taken before the query, so that a change during the query is seen no later than `until`.
    const until = monotonicMs() + cacheMs
    const before = invalidations
    const found = await readToken(db, hash)
    if (found === undefined) {
      cache.delete(key)
      if (unknown.size >= capacity) unknown.clear()
      if (invalidations === before) unknown.add(key)
    } else if (invalidations === before) {
      if (cache.size >= capacity) cache.clear()
      cache.set(key, { ...found, until })
    }
    return found
  }

  async function lookUp(hash: Buffer, key: string, address: string | undefined): Promise<CachedBearer> {
    // Secrets found before do not queue behind look-ups of other secrets from the same address.
    const throttled = throttle !== undefined && address !== undefined && !cache.has(key)
    const find = (): Promise<CachedBearer | undefined> => read(hash, key)
    const { found, refusal } = throttled ? await throttle.lookUp(address, find) : { found: await find(), refusal: undefined }
    if (found === undefined) throw refusal ?? unauthorized()
    return found
  }

  async function identify(secret: string, address: string | undefined): Promise<CachedBearer> {
    if (!isWellFormedSecret(secret)) throw unauthorized()
    const hash = hashSecret(secret)
    const key = hash.toString('base64')
    if (unknown.has(key)) throw unauthorized()
    const found = cached(key) ?? (await lookUp(hash, key, address))
    if (found.expiresAt !== null && found.expiresAt <= now()) throw unauthorized()
    return found
  }

  return {
    async authenticate(secret, address) {
      const { bearer, publishable } = await identify(secret, address)
      if (publishable !== null) throw new AppError('forbidden', 'A publishable token works only in the search widget.')
      if (address !== undefined) onUse?.(bearer, address)
      return bearer
    },
    async authenticatePublishable(secret, address) {
      const { bearer, publishable } = await identify(secret, address)
      if (publishable === null) throw unauthorized()
      onUse?.(bearer, address)
      return { ...bearer, publishable }
    },
    invalidate(tokenId) {
      invalidations += 1
      for (const [key, { bearer }] of cache) if (bearer.tokenId === tokenId) cache.delete(key)
    },
    invalidateOrganization(organizationId) {
      invalidations += 1
      unknown.clear()
      for (const [key, { bearer }] of cache) if (bearer.organizationId === organizationId) cache.delete(key)
    },
    forgetUnknown() {
      invalidations += 1
      unknown.clear()
    },
  }
}

const unauthorized = (): AppError => new AppError('unauthorized', 'The API token is missing, unknown, expired or revoked.')

interface CachedBearer {
  bearer: Bearer
  publishable: PublishableAccess | null
  /** Expiry of the secret: that of its token, or earlier if it was rotated. */
  expiresAt: Date | null
}

async function readToken(db: Database, hash: Buffer): Promise<CachedBearer | undefined> {
  const row = await db.presenting({ kind: 'token_hash', value: hash }, (trx) =>
    trx
      .selectFrom('api_token')
      .select([
        'organization_id',
        'id',
        'scopes',
        'base_ids',
        'agent',
        'origins',
        'requests_per_minute',
        'hash',
        'previous_expires_at',
        'expires_at',
      ])
      .where((where) => where.or([where('hash', '=', hash), where('previous_hash', '=', hash)]))
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),
  )
  if (row === undefined) return undefined
  const ends = [row.expires_at, row.hash.equals(hash) ? null : row.previous_expires_at].filter((end) => end !== null)
  return {
    bearer: {
      kind: 'token',
      organizationId: row.organization_id,
      tokenId: row.id,
      scopes: asScopes(row.scopes),
      baseIds: row.base_ids,
      ...(row.agent && { isAgent: true }),
    },
    publishable: publishableOf(row),
    expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime()))),
  }
}
