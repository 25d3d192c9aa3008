import { wireId, type Scope } from '@groundwork/api'
import type { Selectable } from 'kysely'
import { commandLine, entryOf } from '../audit/entry.ts'
import type { Database } from '../db/database.ts'
import type { ApiTokenTable, Transaction } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { hashSecret, hintOf, newSecret } from './secret.ts'

/** The permissions of a token. */
export interface Grant {
  scopes: readonly Scope[]
  /** The only knowledge bases that it can access; null for all. */
  baseIds: readonly string[] | null
  /** Null if it never expires. */
  expiresAt: Date | null
  /** Whether it is limited as that of an agent. */
  agent: boolean
}

/** The limits of a publishable token, which works only in the search widget. */
export interface PublishableAccess {
  readonly origins: readonly string[]
  readonly requestsPerMinute: number
}

export interface NewToken extends Grant {
  organizationId: string
  name: string
  /** The creating token or user; both null for the command line. */
  createdBy: { created_by: string | null; created_by_user: string | null }
  /** Null for other than publishable tokens. */
  publishable: PublishableAccess | null
  now: Date
}

/** Inserts a token. Only the hash of the secret is stored, so the result is the only place to read it. */
export async function insertToken(trx: Transaction, token: NewToken): Promise<{ row: Selectable<ApiTokenTable>; secret: string }> {
  const { publishable } = token
  const secret = newSecret({ isPublishable: publishable !== null })
  const row = await trx
    .insertInto('api_token')
    .values({
      organization_id: token.organizationId,
      id: newId(token.now.getTime()),
      name: token.name,
      hash: hashSecret(secret),
      hint: hintOf(secret),
      scopes: [...token.scopes],
      base_ids: token.baseIds === null ? null : [...token.baseIds],
      agent: token.agent,
      origins: publishable === null ? null : [...publishable.origins],
      requests_per_minute: publishable?.requestsPerMinute ?? null,
      previous_hash: null,
      previous_expires_at: null,
      ...token.createdBy,
      created_at: token.now,
      expires_at: token.expiresAt,
      last_used_at: null,
      last_used_address: null,
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { row, secret }
}

/** Creates a token for the command line, which has no actor. */
export async function createToken(
  db: Database,
  token: Omit<NewToken, 'createdBy' | 'baseIds' | 'agent' | 'publishable'> & { baseIds?: readonly string[] },
): Promise<{ id: string; secret: string }> {
  const { organizationId, now, baseIds = null } = token
  return db.transaction(organizationId, async (trx) => {
    const { row, secret } = await insertToken(trx, {
      ...token,
      baseIds,
      agent: false,
      publishable: null,
      createdBy: { created_by: null, created_by_user: null },
    })
    const entry = entryOf(organizationId, now, commandLine, { action: 'token.created', target: wireId('tok', row.id) })
    await trx.insertInto('audit_entry').values(entry).execute()
    return { id: row.id, secret }
  })
}

/** Safe cast: only `insertToken` writes rows, and its scopes are typed. */
export const asScopes = (stored: string[]): Scope[] => stored as Scope[]

/** Returns the limits of a publishable token; null for other tokens. */
export const publishableOf = ({
  origins,
  requests_per_minute: requestsPerMinute,
}: Pick<Selectable<ApiTokenTable>, 'origins' | 'requests_per_minute'>): { origins: string[]; requestsPerMinute: number } | null =>
  origins === null || requestsPerMinute === null ? null : { origins, requestsPerMinute }
