import { scopesOfRole, wireId } from '@groundwork/api'
import type { Context } from '../context.ts'
import type { Transaction } from '../db/schema.ts'
import { AppError } from '../lib/errors.ts'
import { asScopes, type Grant, type NewToken } from './issue.ts'

/**
 * Whoever makes a token grants no more than they have. Their own row is read again and held until the transaction ends, so
 * a token that was revoked or a member who was removed a moment ago, and is still remembered by this process, leaves no
 * successor behind.
 * @returns who asks, as a token's row names its maker
 * @throws AppError `forbidden` naming the excess, `unauthorized` when the token or the membership is no more
 */
export async function refuseMoreThanActorHas(ctx: Context, trx: Transaction, grant: Grant): Promise<NewToken['createdBy']> {
  const { actor } = ctx
  if (actor === undefined) throw new AppError('forbidden', 'nobody asks for this, so nothing can be granted')
  if (actor.kind === 'user') {
    refuseExcess('the role', await grantOfMember(trx, actor.userId), grant)
    return { created_by: null, created_by_user: actor.userId }
  }
  refuseExcess('the API token', await grantOfToken(trx, actor.tokenId), grant)
  return { created_by: actor.tokenId, created_by_user: null }
}

async function grantOfMember(trx: Transaction, userId: string): Promise<Grant> {
  const own = await trx.selectFrom('membership').select('role').where('user_id', '=', userId).forShare().executeTakeFirst()
  if (own === undefined) throw new AppError('unauthorized', 'the user is no member of the organization any more')
  return { scopes: scopesOfRole[own.role], baseIds: null, expiresAt: null }
}

async function grantOfToken(trx: Transaction, tokenId: string): Promise<Grant> {
  const own = await trx
    .selectFrom('api_token')
    .select(['scopes', 'base_ids', 'expires_at'])
    .where('id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (own === undefined) throw new AppError('unauthorized', 'the API token is missing, unknown, expired or revoked')
  return { scopes: asScopes(own.scopes), baseIds: own.base_ids, expiresAt: own.expires_at }
}

function refuseExcess(who: string, own: Grant, grant: Grant): void {
  const excess = (field: string, what: string): AppError =>
    new AppError('forbidden', `${who} cannot grant what it does not have: ${what}`, { field })
  const scope = grant.scopes.find((each) => !own.scopes.includes(each))
  if (scope !== undefined) throw excess('scopes', `the scope ${scope}`)
  if (own.baseIds !== null) {
    const allowed = new Set(own.baseIds)
    if (grant.baseIds === null) throw excess('baseIds', 'access to all knowledge bases; name some of its own in baseIds')
    const base = grant.baseIds.find((id) => !allowed.has(id))
    if (base !== undefined) throw excess('baseIds', `access to the knowledge base ${wireId('kb', base)}`)
  }
  if (own.expiresAt !== null && (grant.expiresAt === null || grant.expiresAt > own.expiresAt))
    throw excess('expiresAt', `time beyond ${own.expiresAt.toISOString()}, when it expires`)
}
