import type { Origin, TokenActor } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { AuthenticationThrottle } from '../limits/authentication-throttle.ts'
import { AppError } from '../lib/errors.ts'
import { asScopes } from './issue.ts'
import { hashSecret, isWellFormedSecret } from './secret.ts'

export interface Bearer extends Omit<TokenActor, keyof Origin> {
  readonly organizationId: string
}

/** Resolves a secret. With the address of a request that presents it, that counts as a use of the token. */
export type Authenticate = (secret: string, address?: string) => Promise<Bearer>

export interface Authenticator {
  /**
   * Returns the bearer of the secret. An answer is remembered for `rememberMs`, so a busy caller costs one query in that time.
   * @throws AppError `unauthorized` for a secret that is malformed, unknown, expired or revoked, `rate_limited` for an
   * unknown one from an address that presented too many of them. A valid secret is never refused
   */
  readonly authenticate: Authenticate
  /** Asks the database again from now on, because the token was revoked or rotated. */
  readonly forget: (tokenId: string) => void
}

export interface AuthenticatorOptions {
  now: () => Date
  /** What a revoked token may go on working in other processes than the one that revoked it. */
  rememberMs?: number
  /** Milliseconds of a clock that is never set, so that setting the other one keeps nobody remembered for longer. */
  monotonicMs?: () => number
  /** Bounds the look-ups of unknown secrets by address; unbounded without it. */
  throttle?: AuthenticationThrottle
  /** Told of every use; returns at once. */
  onUse?: (bearer: Bearer, address: string) => void
}

/** Bearers remembered at most. */
const capacity = 10_000

export function authenticator(
  db: Database,
  { now, rememberMs = 900, monotonicMs = () => performance.now(), throttle, onUse }: AuthenticatorOptions,
): Authenticator {
  const known = new Map<string, Found & { until: number }>()
  // What opens nothing never will: a secret is new when it is made, and what has ended does not come back.
  const unknown = new Set<string>()
  let forgotten = 0

  const remembered = (key: string): Found | undefined => {
    const found = known.get(key)
    return found !== undefined && monotonicMs() < found.until ? found : undefined
  }

  async function read(hash: Buffer, key: string): Promise<Found | undefined> {
    // A request with the same secret may have been answered while this one waited for its turn.
    if (unknown.has(key)) return undefined
    const meanwhile = remembered(key)
    if (meanwhile !== undefined) return meanwhile
    // Taken before the query: a change of the token while it is answered is seen no later than `until`.
    const until = monotonicMs() + rememberMs
    const before = forgotten
    const found = await readToken(db, hash)
    if (found === undefined) {
      known.delete(key)
      if (unknown.size >= capacity) unknown.clear()
      unknown.add(key)
    } else if (forgotten === before) {
      if (known.size >= capacity) known.clear()
      known.set(key, { ...found, until })
    }
    return found
  }

  async function look(hash: Buffer, key: string, address: string | undefined): Promise<Found> {
    // A secret that was found before waits for no look-up of other secrets from the same address.
    const throttled = throttle !== undefined && address !== undefined && !known.has(key)
    const find = (): Promise<Found | undefined> => read(hash, key)
    const { found, refusal } = throttled ? await throttle.lookUp(address, find) : { found: await find(), refusal: undefined }
    if (found === undefined) throw refusal ?? refused()
    return found
  }

  return {
    async authenticate(secret, address) {
      if (!isWellFormedSecret(secret)) throw refused()
      const hash = hashSecret(secret)
      const key = hash.toString('base64')
      if (unknown.has(key)) throw refused()
      const { bearer, expiresAt } = remembered(key) ?? (await look(hash, key, address))
      if (expiresAt !== null && expiresAt <= now()) throw refused()
      if (address !== undefined) onUse?.(bearer, address)
      return bearer
    },
    forget(tokenId) {
      forgotten += 1
      for (const [key, { bearer }] of known) if (bearer.tokenId === tokenId) known.delete(key)
    },
  }
}

const refused = (): AppError => new AppError('unauthorized', 'the API token is missing, unknown, expired or revoked')

interface Found {
  bearer: Bearer
  /** When this secret ends: with its token, or before that because it was rotated away. */
  expiresAt: Date | null
}

async function readToken(db: Database, hash: Buffer): Promise<Found | undefined> {
  const row = await db.presenting({ kind: 'token_hash', value: hash }, (trx) =>
    trx
      .selectFrom('api_token')
      .select(['organization_id', 'id', 'scopes', 'base_ids', 'hash', 'previous_expires_at', 'expires_at'])
      .where((where) => where.or([where('hash', '=', hash), where('previous_hash', '=', hash)]))
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),
  )
  if (row === undefined) return undefined
  const ends = [row.expires_at, row.hash.equals(hash) ? null : row.previous_expires_at].filter((end) => end !== null)
  return {
    bearer: { kind: 'token', organizationId: row.organization_id, tokenId: row.id, scopes: asScopes(row.scopes), baseIds: row.base_ids },
    expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime()))),
  }
}
