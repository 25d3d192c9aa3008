import type { Scope } from '@groundwork/api'
import type { Actor } from '../context.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { hashSecret, isWellFormedSecret, newSecret } from './secret.ts'

export interface NewToken {
  organizationId: string
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  now: Date
}

/** Makes a token. The secret is in the answer and nowhere else: only its hash is kept. */
export async function createToken(db: Database, token: NewToken): Promise<{ id: string; secret: string }> {
  const id = newId()
  const secret = newSecret()
  await db.transaction(token.organizationId, (trx) =>
    trx
      .insertInto('api_token')
      .values({
        organization_id: token.organizationId,
        id,
        name: token.name,
        hash: hashSecret(secret),
        scopes: [...token.scopes],
        expires_at: token.expiresAt,
        revoked_at: null,
        created_at: token.now,
      })
      .execute(),
  )
  return { id, secret }
}

export interface Bearer extends Actor {
  readonly organizationId: string
}

/** Resolves the secret that a request presents. */
export type Authenticate = (secret: string) => Promise<Bearer>

/**
 * Who presents the secret. An answer is remembered for `rememberMs`, so a busy caller costs one query in that time and
 * a revoked token works for no longer than that.
 * @throws AppError `unauthorized` for a secret that is malformed, unknown, expired or revoked
 */
export function authenticator(db: Database, now: () => Date, rememberMs = 900): Authenticate {
  const known = new Map<string, { bearer: Bearer; expiresAt: Date | null; until: number }>()
  return async (secret) => {
    if (!isWellFormedSecret(secret)) throw refused()
    const hash = hashSecret(secret)
    const key = hash.toString('base64')
    const time = now()
    let entry = known.get(key)
    if (entry === undefined || entry.until <= time.getTime()) {
      const row = await find(db, hash)
      if (row === undefined) {
        known.delete(key)
        throw refused()
      }
      entry = { ...row, until: time.getTime() + rememberMs }
      if (known.size >= 10_000) known.clear()
      known.set(key, entry)
    }
    if (entry.expiresAt !== null && entry.expiresAt <= time) throw refused()
    return entry.bearer
  }
}

const refused = (): AppError => new AppError('unauthorized', 'the API token is missing, unknown, expired or revoked')

async function find(db: Database, hash: Buffer): Promise<{ bearer: Bearer; expiresAt: Date | null } | undefined> {
  const row = await db.asBearer(hash, (trx) =>
    trx
      .selectFrom('api_token')
      .select(['organization_id', 'id', 'scopes', 'expires_at'])
      .where('hash', '=', hash)
      .where('revoked_at', 'is', null)
      .executeTakeFirst(),
  )
  if (row === undefined) return undefined
  return { bearer: { organizationId: row.organization_id, tokenId: row.id, scopes: asScopes(row.scopes) }, expiresAt: row.expires_at }
}

/** Rows are written by `createToken` alone, whose scopes are typed. */
const asScopes = (stored: string[]): readonly Scope[] => stored as Scope[]
