import { wireId } from '@groundwork/api'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { asScopes, type Grant } from './issue.ts'

/**
 * A token grants no more than it has. Its own row is read again and held until the transaction ends, so one that was
 * revoked a moment ago, and is still remembered by this process, leaves no successor behind.
 * @returns id of the token that asks
 * @throws AppError `forbidden` naming the excess, `unauthorized` when the token is no more
 */
export async function refuseMoreThanActorHas(ctx: Context, trx: Transaction, grant: Grant): Promise<string> {
  if (ctx.actor === undefined) throw new AppError('forbidden', 'nobody asks for this, so nothing can be granted')
  const { tokenId } = ctx.actor
  const own = await trx
    .selectFrom('api_token')
    .select(['scopes', 'base_ids', 'expires_at'])
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (own === undefined) throw new AppError('unauthorized', 'the API token is missing, unknown, expired or revoked')
  const scope = grant.scopes.find((each) => !asScopes(own.scopes).includes(each))
  if (scope !== undefined) throw excess('scopes', `the scope ${scope}`)
  if (own.base_ids !== null) {
    const allowed = new Set(own.base_ids)
    if (grant.baseIds === null) throw excess('baseIds', 'access to all knowledge bases; name some of its own in baseIds')
    const base = grant.baseIds.find((id) => !allowed.has(id))
    if (base !== undefined) throw excess('baseIds', `access to the knowledge base ${wireId('kb', base)}`)
  }
  if (own.expires_at !== null && (grant.expiresAt === null || grant.expiresAt > own.expires_at))
    throw excess('expiresAt', `time beyond ${own.expires_at.toISOString()}, when it expires`)
  return tokenId
}

const excess = (field: string, what: string): AppError =>
  new AppError('forbidden', `the API token cannot grant what it does not have: ${what}`, { field })
